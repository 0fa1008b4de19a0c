#!/usr/bin/env bash
# The JSON says what was run: program, arguments, contents, build, command line, date; smelt compare
# tells when two results are not of the same thing.
. "$SRC/tests/e2e/lib/check.bash"

cat >prog.cu <<'CU'
__global__ void add(int *p) { p[threadIdx.x] += 1; }
int main(void)
{
    int *p;
    cudaMalloc((void **)&p, 4096);
    add<<<1, 32>>>(p);
    return 0;
}
CU
works cc prog.cu -o prog
mkdir -p elsewhere
cp prog elsewhere/prog

# --- a CUDA program ---
works run -q -g tiny --json a.json ./prog one 'two words' "q\"uote"
same "name" "$(jq -r '.program.name, .program.kind' a.json | tr '\n' ' ')" "prog cuda "
same "arguments" "$(jq -c '.program.args' a.json)" '["one","two words","q\"uote"]'
same "command" "$(jq -c '.host.command[1:]' a.json)" '["run","-q","-g","tiny","--json","a.json","./prog","one","two words","q\"uote"]'
jq -r '.host.date' a.json | grep -Eq '^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$' || failed "date: $(jq .host.date a.json)"
jq -r '.program.hash, .program.modules[].hash' a.json | grep -Evq '^[0-9a-f]{32}$' && failed "hashes: $(jq .program a.json)"
works run -q -g tiny --json b.json elsewhere/prog one 'two words' "q\"uote"
works compare --exact a.json b.json
same "the same thing" "$(cat err.txt)" ""
sed 's/+= 1/+= 2/' prog.cu >other.cu
works cc other.cu -o other
works run -q -g tiny --json other.json ./other one 'two words' "q\"uote"
for what in .program.hash '.program.modules[0].hash'; do
    [ "$(jq "$what" a.json)" != "$(jq "$what" other.json)" ] || failed "$what is the same for another program"
done
printf '#!/bin/sh\ntrue\n' >script
chmod +x script
works run -q -g tiny --json script.json ./script x
same "a program without CUDA" "$(jq -c '[.status, .program.name, .program.args, (.program.hash | length)]' script.json)" '["done","script",["x"],32]'

# --- .ptx and .job files ---
vecadd=$SRC/examples/vecadd.ptx
four='--arg buf:f32[40]=iota --arg buf:f32[40]=iota --arg buf:f32[40]=zero --arg u32:40'
works run -q -g tiny "$vecadd" --block 32 $four --grid 2 --json ptx.json
same "what a .ptx file is given" "$(jq -c '.program.args[:6]' ptx.json)" '["--grid","2","--block","32","--arg","buf:f32[40]=iota"]'
"$SMELT" run -q -g tiny --grid 2 --block 32 $four --json pipe.json - <"$vecadd"
same "its hash, also from a pipe" "$(jq .program.hash pipe.json)" "$(jq .program.hash ptx.json)"
same "of its module" "$(jq '.program.modules[0].hash' ptx.json)" "$(jq .program.hash ptx.json)"
cp "$SRC/examples/vecadd.job" "$vecadd" .
works run -q -g tiny vecadd.job --json job.json
echo '# a comment' >>vecadd.job
works run -q -g tiny vecadd.job --json job2.json
[ "$(jq .program.hash job.json)" != "$(jq .program.hash job2.json)" ] || failed "another job file has the same hash"
same "its module" "$(jq '.program.modules[0].hash' job.json)" "$(jq '.program.modules[0].hash' job2.json)"

# --- the build ---
same "version" "$(jq -r '.build.version' a.json)" "$(jq -r .smelt a.json)"
jq -e '.build | (.commit == null or (.commit | test("^[0-9a-f]{40}$"))) and (.dirty | type == "boolean")' a.json >/dev/null ||
    failed "build: $(jq .build a.json)"

# --- compare ---
works compare a.json other.json
same "another program" "$(grep -c '^smelt: warning: the programs differ: prog ([0-9a-f]*) in A, other ([0-9a-f]*) in B$' err.txt) $(wc -l <err.txt)" "1 1"
works run -q -g tiny --json none.json ./prog
works compare a.json none.json
same "other arguments" "$(cat err.txt)" "smelt: warning: the arguments differ: 'one,two words,q\"uote' in A, '' in B"
sed -E 's/"commit": ("[0-9a-f]*"|null)/"commit": "1234"/; s/"dirty": true/"dirty": false/' a.json >build.json
works compare a.json build.json
same "another build" "$(grep -c '^smelt: warning: the builds of smelt differ: .* in A, [0-9.]* (1234) in B$' err.txt) $(wc -l <err.txt)" "1 1"
works compare --exact a.json build.json
same "results are compared" "$(cat out.txt)" ""
finish
