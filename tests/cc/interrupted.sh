#!/usr/bin/env bash
# Ended by a signal, the compiler ends too and nothing is left behind.
. "$SRC/tests/cc/lib.bash"

# A clang that takes its time and says when it starts.
mkdir -p slow
cat >slow/clang <<EOF
#!/bin/sh
case "\$*" in *print-resource-dir*) exec clang++-14 "\$@" ;; esac
echo \$\$ >$PWD/started
exec sleep 100
EOF
chmod +x slow/clang
for signal in TERM HUP; do
    rm -f started
    SMELT_CLANG=$PWD/slow/clang "$SMELT" cc prog.cu -o prog 2>err.txt &
    pid=$!
    for _ in $(seq 200); do
        [ -s started ] && break
        sleep 0.05
    done
    [ -s started ] || failed "did not start"
    kill -$signal $pid
    wait $pid
    status=$?
    [ $status -gt 128 ] || failed "status $status after $signal"
    ! kill -0 "$(cat started)" 2>/dev/null || failed "the compiler goes on after $signal"
done
[ ! -e prog ] || failed "a program"
no_leftovers
finish
