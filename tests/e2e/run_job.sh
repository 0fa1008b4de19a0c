#!/usr/bin/env bash
# smelt run x.job: fills, offsets, several modules, dump and expect.
. "$SRC/tests/e2e/lib/check.bash"

mkdir -p job/sub
cp "$SRC/examples/vecadd.ptx" job/sub/vecadd.ptx
sed 's/vecadd/twice/g; s/add.f32 %x, %x, %y/add.f32 %x, %y, %y/' job/sub/vecadd.ptx >job/twice.ptx
printf '\001\002\003' >job/three.bin

cat >job/all.job <<'EOF_JOB'
# every command
  module sub/vecadd.ptx   # relative to this file
module twice.ptx

buf z f32 4 zeros
buf k i32 3 const -7
buf u u32 2 const 0xffffffff
buf i f32 8 iota
buf l u32 3 lcg 7 0 100
buf n i32 3 lcg 7 -100 0
buf f f32 2 lcg 7 -1 1
buf b u8 3 file three.bin
buf d f64 2 const 0.1
buf c f32 8 zero
sum z
sum k
sum u
sum i
at l 0
at l 1
at n 0
at f 0
sum b
at d 1
launch vecadd 1 1 1 8 1 1 0 @i @i @c u:8
sum c
launch twice 1 1 1 2 1 1 0 @z @i+16 @c+8 u:2
at c 2
at c 3
at c 4
expect sum c 64
expect at c 3 10.0001 0.001
expect sum k -21 0
dump c sub/c.bin
EOF_JOB

works run --functional job/all.job
cat >expected.txt <<'EOF_OUT'
sum z 0
sum k -21
sum u 8.58993459e+09
sum i 28
at l 0 23
at l 1 91
at n 0 -76
at f 0 -0.522438407
sum b 6
at d 1 0.1
sum c 56
at c 2 8
at c 3 10
at c 4 8
EOF_OUT
diff -u expected.txt out.txt || failed "other results"
same "dump" "$(od -A n -v -t f4 job/sub/c.bin | tr -s ' \n' ' ')" " 0 2 8 10 8 10 12 14 "

# Options stand on either side; the job is found from anywhere, its files relative to it.
(cd job/sub && "$SMELT" run ../all.job --functional -g tiny 2>err.txt | diff -u ../../expected.txt -) ||
    failed "from another folder"

# What is not as expected is the program's fault; what stands before has been printed.
printf 'buf a i32 4 iota\nsum a\nexpect sum a 7\nsum a\n' >wrong.job
fails 1 'wrong.job:3: .*sum of a is 6, expected 7' run --functional wrong.job
same "output before it" "$(cat out.txt)" "sum a 6"

# Windows line ends, no newline at the end, an empty file.
printf 'buf a i32 4 iota\r\n\r\nsum a' >dos.job
works run --functional dos.job
same "dos" "$(cat out.txt)" "sum a 6"
: >empty.job
works run --functional empty.job

finish
