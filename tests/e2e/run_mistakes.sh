#!/usr/bin/env bash
# What people get wrong on the command line of `smelt run` and in job files: status 2, one line.
. "$SRC/tests/e2e/lib/check.bash"

vecadd=$SRC/examples/vecadd.ptx
shape="--grid 2 --block 32"
three="--arg buf:f32[40]=iota --arg buf:f32[40]=iota --arg buf:f32[40]=zero"

ptx() # STATUS PATTERN OPTIONS..: on top of a good start
{
    fails "$1" "$2" run --functional "$vecadd" "${@:3}"
}

# --- the call ---
fails 2 'run what' run
fails 2 "unknown option '--functionl' of run .did you mean --functional" run --functionl x.ptx
fails 2 "option '--grid' of run needs a value" run "$vecadd" --grid
fails 2 "not also 'b.ptx'" run --functional a.ptx b.ptx
fails 2 'no workload is called so' run --functional program.exe
fails 2 'missing.ptx: No such file' run --functional missing.ptx $shape
fails 2 'missing.job: No such file' run --functional missing.job
fails 2 "no GPU 'gtx48'|gtx48.*gtx480" run --functional -g gtx48 "$vecadd" $shape
ptx 2 'sm.n_wrap: no such key; did you mean n_warp' $shape --set sm.n_wrap=3
ptx 2 "sm.n_warp: 65 warps is outside 1..64" $shape --set sm.n_warp=65
ptx 2 "threads: 0 is outside" $shape --threads 0
ptx 2 "threads: 'two' is not" $shape --threads two
ptx 2 'max-insts: 0 is outside' $shape --max-insts 0
ptx 2 'sse' $shape $three --arg u32:40 --isa sse

# --- the launch ---
ptx 2 'needs --grid' --block 32
ptx 2 'needs --block' --grid 32
ptx 2 "grid takes X.*not '0'" --grid 0 --block 32
ptx 2 "block takes X.*not '1,2,3,4'" --grid 1 --block 1,2,3,4
ptx 2 "grid takes X.*not '2x2'" --grid 2x2 --block 1
ptx 2 "smem: '-1' is not" $shape --smem -1
ptx 2 "no kernel 'vecsub'|did you mean 'vecadd'" $shape --kernel vecsub
ptx 2 'kernel vecadd takes 4 parameters, 3 were given' $shape $three
ptx 2 'kernel vecadd takes 4 parameters, 0 were given' $shape
ptx 2 'kernel vecadd takes 4 parameters, 5 were given' $shape $three --arg u32:1 --arg u32:2
ptx 2 'block x of 2048 is outside 1..1024' --grid 1 --block 2048 $three --arg u32:40
ptx 2 'shared memory' $shape --smem 1M $three --arg u32:40

# --- arguments ---
ptx 2 'u64:40: parameter 3 of vecadd .n. is u32; that is too long' $shape $three --arg u64:40
ptx 2 'u8:40: parameter 3 .* too short' $shape $three --arg u8:40
ptx 2 'f32:40: parameter 3 .* it takes a whole number' $shape $three --arg f32:40
ptx 2 'buf:f32.4.=zero: parameter 3 .* a buffer needs a 64-bit one' $shape $three --arg 'buf:f32[4]=zero'
ptx 2 'bytes:0102: parameter 3 .* as many' $shape $three --arg bytes:0102
ptx 2 '40: an argument is TYPE:VALUE' $shape $three --arg 40
ptx 2 "unknown type 'float'" $shape $three --arg float:40
ptx 2 "'4o' is not a whole number" $shape $three --arg u32:4o
ptx 2 '4294967296 does not fit u32' $shape $three --arg u32:4294967296
ptx 2 '.1 does not fit u32' $shape $three --arg u32:-1
ptx 2 '2147483648 does not fit s32' $shape $three --arg s32:2147483648
ptx 2 "'abc' is not a number" $shape $three --arg f32:abc
ptx 2 '1e60 is too large for f32' $shape $three --arg f32:1e60
ptx 2 "'0g' is no byte" $shape $three --arg bytes:000g0g00
ptx 2 'a buffer is TYPE' $shape --arg 'buf:f32=zero'
ptx 2 "unknown type 'f99'" $shape --arg 'buf:f99[4]=zero'
ptx 2 'cannot have 0 elements' $shape --arg 'buf:f32[0]=zero'
ptx 2 "'ones' fills no buffer" $shape --arg 'buf:f32[4]=ones'
ptx 2 "rand:SEED takes" $shape --arg 'buf:f32[4]=rand:x'
printf 'abc' >three.bin
ptx 2 'three.bin has 3 bytes, f32.40. needs 160' $shape --arg 'buf:f32[40]=file:three.bin' \
    --arg 'buf:f32[40]=iota' --arg 'buf:f32[40]=zero' --arg u32:40
ptx 2 'none.bin: No such file' $shape --arg 'buf:f32[40]=file:none.bin' --arg 'buf:f32[40]=iota' \
    --arg 'buf:f32[40]=zero' --arg u32:40
ptx 2 'memory' $shape --arg 'buf:f32[999999999999]=zero' --arg 'buf:f32[40]=iota' \
    --arg 'buf:f32[40]=zero' --arg u32:40
ptx 2 "dump takes I:PATH, not 'c.bin'" $shape $three --arg u32:40 --dump c.bin
ptx 2 'no argument 4, only 0..3' $shape $three --arg u32:40 --dump 4:c.bin
ptx 2 'argument 3 is u32:40, not a buffer' $shape $three --arg u32:40 --dump 3:c.bin
ptx 2 'nowhere/c.bin: No such file' $shape $three --arg u32:40 --dump 2:nowhere/c.bin
ptx 2 'nowhere/out.json' $shape $three --arg u32:40 --json nowhere/out.json

# --- several kernels, none, bad PTX ---
{ cat "$vecadd"; sed -n '/^.visible/,$s/vecadd/other/; /^.visible/,$p' "$vecadd"; } >two.ptx
fails 2 'two.ptx has 2 kernels, choose with --kernel: vecadd, other' run --functional two.ptx $shape
printf '.version 6.0\n.target sm_35\n.address_size 64\n' >none.ptx
fails 2 'none.ptx has no kernel' run --functional none.ptx $shape
sed 's/add.f32/ad.f32/' "$vecadd" >bad.ptx
fails 2 'bad.ptx:35: ' run --functional bad.ptx $shape

# --- job files ---
job() # PATTERN LINE..: the last line is the mistake
{
    printf '%s\n' "module $vecadd" 'buf a f32 8 iota' "${@:2}" >bad.job
    fails 2 "bad.job:$(($# + 1)): .*$1" run --functional bad.job
    same "output of a bad job" "$(cat out.txt)" ""
}

job "unknown command 'lanch'; did you mean launch" 'lanch vecadd'
job "unknown command 'xyzzy'; there are module" 'xyzzy'
job 'usage: module FILE.ptx' 'module'
job 'nowhere.ptx: No such file' 'module nowhere.ptx'
job 'usage: buf NAME' 'buf b f32'
job "already a buffer 'a'" 'buf a f32 8 zero'
job "cannot name a buffer" 'buf a+b f32 8 zero'
job "unknown type 'g32'" 'buf b g32 8 zero'
job "'x' is not a number of elements" 'buf b f32 x zero'
job 'what fills a buffer is' 'buf b f32 8 ones'
job 'what fills a buffer is' 'buf b f32 8 zero 1'
job 'lcg takes SEED LO HI' 'buf b f32 8 lcg 1 2'
job '300 does not fit u8' 'buf b u8 8 const 300'
job 'needs 32' "buf b f32 8 file $PWD/three.bin"
job 'usage: launch' 'launch vecadd 1 1 1'
job "no kernel 'vecsub'|did you mean 'vecadd'" 'launch vecsub 1 1 1 1 1 1 0'
job "block: '0' is not" 'launch vecadd 1 1 1 0 1 1 0 @a @a @a u:8'
job 'takes 4 parameters, 1 was given' 'launch vecadd 1 1 1 8 1 1 0 @a'
job "no buffer 'b' so far" 'launch vecadd 1 1 1 8 1 1 0 @a @b @a u:8'
job "'40' is not an offset in 0..32" 'launch vecadd 1 1 1 8 1 1 0 @a @a+40 @a u:8'
job 'l:8: parameter 3 .* too long' 'launch vecadd 1 1 1 8 1 1 0 @a @a @a l:8'
job 'x:8: an argument is' 'launch vecadd 1 1 1 8 1 1 0 @a @a @a x:8'
job "u:y: 'y' is not a whole number" 'launch vecadd 1 1 1 8 1 1 0 @a @a @a u:y'
job 'usage: sum NAME' 'sum'
job "no buffer 'b' so far" 'sum b'
job "'8' is not an index in 0..7" 'at a 8'
job 'usage: dump NAME PATH' 'dump a'
job 'usage: expect' 'expect max a 3'
job "'x' is not a number" 'expect sum a x'
job "'x' is not a relative tolerance" 'expect sum a 28 x'
printf 'launch k 1 1 1 1 1 1 0\n' >bad.job
fails 2 'bad.job:1: .*no module so far' run --functional bad.job
fails 2 '--grid is for .ptx files' run --functional bad.job --grid 1
printf 'sum\0a\n' >bad.job
fails 2 'not a text file' run --functional bad.job

# A mistake in the last line is found before the first launch runs.
printf '%s\n' "module $vecadd" 'buf a f32 8 iota' 'launch vecadd 1 1 1 8 1 1 0 @a @a @a u:8' 'sum a' 'at a 8' >late.job
fails 2 'late.job:5: ' run --functional late.job
same "nothing was printed" "$(cat out.txt)" ""

finish
