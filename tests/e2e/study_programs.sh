#!/usr/bin/env bash
# Which programs a study may have run: executables, and jobs that write files, only by --programs.  A
# program that launches no kernel has simulated nothing, and its run has failed.
# shellcheck source=tests/e2e/lib/check.bash
source "$SRC/tests/e2e/lib/check.bash"

rm -rf study out* tools other
cp -r "$SRC/tests/study" .
mkdir -p tools/deeper other
cp /bin/true tools/quiet
cp /bin/true tools/deeper/quiet
cp /bin/true other/quiet
ln -s ../other/quiet tools/link
ln -s tools door

may()
{
    cat >x.lua <<END
study { name = "x", title = "x" }
runs { programs = { "$1" }, gpu = "tiny" }
END
}
no='which a study may only if the command says so: --programs DIR or any$'

for program in tools/quiet ./tools/link tools/../tools/quiet "$PWD/tools/quiet"; do
    may "$program"
    fails 2 "^smelt: x.lua:2: runs: .* is an executable, $no" sweep x.lua -o out --dry-run
done
may tools/link
fails 2 "link is an executable, $no" sweep x.lua -o out --dry-run --programs tools
may other/quiet
fails 2 "other/quiet is an executable, $no" sweep x.lua -o out --dry-run --programs tools
fails 2 "other/quiet is an executable, $no" sweep x.lua -o out --dry-run --programs tools/deeper --programs tools
works sweep x.lua -o out --dry-run --programs tools --programs other
works sweep x.lua -o out --dry-run --programs any
works sweep x.lua -o out --dry-run --programs /
may tools/deeper/quiet
works sweep x.lua -o out --dry-run --programs=door/
[ -e out ] && failed "a dry run made something"

# What the command line names may run; --programs is not for that.
works sweep --dry-run --vary sm.scheduler=lrr,gto -o out ./other/quiet
fails 2 "^smelt: --programs is for a study's file" sweep --programs any --vary sm.scheduler=lrr,gto -o out ./other/quiet
fails 2 "^smelt: --programs: none: No such file or directory$" sweep x.lua -o out --programs none
fails 2 "^smelt: --programs: x.lua is no folder; it takes one, or 'any'$" sweep x.lua -o out --programs x.lua

# A job that writes a file.
may study/writes.job
fails 2 "study/writes.job writes files, $no" sweep x.lua -o out
[ -e study/written.bin ] && failed "it wrote"
works sweep x.lua -o out --programs study
[ -s study/written.bin ] || failed "it did not write"

# No launch: failed, in a sweep and in the store; and said by run, whose status is the program's.
may other/quiet
fails 1 '^smelt: failed: ./other/quiet -g tiny: no kernel was launched: nothing was simulated$' \
    sweep x.lua -o out-none --programs any
same "its state" "$("$SMELT" store list out-none/store.db | awk '{ print $2 }')" failed
fails 1 '^smelt: failed: ./other/quiet .*: no kernel was launched' sweep --vary sm.n_warp=8,16 -g tiny -o out-vary ./other/quiet
printf 'buf a f32 64 iota\nsum a\n' >nothing.job
may nothing.job
fails 1 '^smelt: failed: ./nothing.job -g tiny: no kernel was launched: nothing was simulated' sweep x.lua -o out-job
works run -g tiny ./other/quiet
grep -q '^smelt: ./other/quiet launched no kernel: nothing was simulated$' err.txt || failed "no word of it: $(cat err.txt)"
works run -g tiny --quiet ./other/quiet
[ -s err.txt ] && failed "not quiet: $(cat err.txt)"
fails 1 'ended with status 1$' run -g tiny /bin/false
grep -q 'launched' err.txt && failed "more than its end: $(cat err.txt)"
finish
