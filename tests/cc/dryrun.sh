#!/usr/bin/env bash
# --dryrun shows and does nothing; -v shows and does; --keep keeps; what is shown can be run.
. "$SRC/tests/cc/lib.bash"

commands()
{
    grep '^#\$ ' err.txt | grep -vc '^#\$ [A-Z_]*='
}

works cc --dryrun prog.cu -o prog
same "commands" "$(commands)" 3
same "output" "$(cat out.txt)" ""
[ ! -e prog ] || failed "--dryrun makes the program"
works cc -dryrun -c prog.cu
same "commands of -c" "$(commands)" 2
works cc -v prog.cu -o prog
same "commands of -v" "$(commands)" 3
passes ./prog
no_leftovers

mkdir -p kept
works cc -v --keep --keep-dir kept prog.cu -o prog
[ -s kept/prog.ptx ] && [ -s kept/prog.o ] || failed "nothing kept: $(ls kept)"
works cc -save-temps -c prog.cu -o x.o
[ -s prog.ptx ] || failed "not kept here"

works cc -v --keep --keep-dir kept '-DTEXT="it'"'"'s $5"' prog.cu -o prog
sed -n 's|^#\$ ||p' err.txt | grep -v '^[A-Z_]*=' >script
rm -f prog
sed -i '2i printf "\\\\0" >>kept/prog.ptx' script # the step that is smelt's own
bash script || failed "the commands do not run"
passes ./prog
finish
