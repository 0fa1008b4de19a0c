#!/usr/bin/env bash
# Energy in results: it adds up to the last digit, changes nothing else, and follows its tables.
. "$SRC/tests/e2e/lib/check.bash"

job=$SRC/examples/vecadd.job
ptx=$SRC/examples/vecadd.ptx
parts='dynamic_j|static_j|gating_j|base_j'

# The sum of the members called $3 (an expression) of "energy" objects that are indented by $2 blanks.
# Energies are multiples of 2^-44 J, so that it is exact, in whatever order.
sum()
{
    awk -v blanks="$2" -v name="^\"($3)\":" '
        BEGIN { indent = sprintf("%" blanks "s", "") }
        index($0, indent "\"energy\": {") == 1 { inside = 1 }
        index($0, indent "}") == 1 { inside = 0 }
        inside && $1 ~ name { s += $2 }
        END { printf "%.17g\n", s }' "$1"
}

# A member of "total", or of anything else at the top; all values of a member of the kernels.
total()
{
    awk -v key="\"$2\":" '/^  "/ { inside = $1 == "\"total\":" }
        inside && $1 == key { printf "%.17g\n", $2 }' "$1"
}
kernels()
{
    awk -v key="      \"$2\":" 'index($0, key) == 1 { printf "%.17g\n", $2 }' "$1"
}
add()
{
    awk '{ s += $1 } END { printf "%.17g\n", s }'
}

# a is b but for rounding.
near()
{
    awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(b > 0 && d < 1e-12 * b && -d < 1e-12 * b) }' ||
        failed "$1: $2, expected $3"
}

# Parts add up to the total; watts are joules a second.
works run -g gtx480 "$job" --json on.json
is_json on.json
joules=$(total on.json energy_j)
same "sum of the components" "$(sum on.json 2 "$parts")" "$joules"
same "sum of the kernel's" "$(sum on.json 6 "$parts")" "$joules"
seconds=$(awk -v n="$(total on.json cycles)" -v mhz="$(field on.json gpu.core_mhz)" \
    'BEGIN { printf "%.17g\n", n / (mhz * 1e6) }')
near "power x time" "$(awk -v w="$(total on.json power_w)" -v s="$seconds" 'BEGIN { printf "%.17g", w * s }')" "$joules"
near "power without leakage x time" \
    "$(awk -v w="$(total on.json power_noleak_w)" -v s="$seconds" 'BEGIN { printf "%.17g", w * s }')" \
    "$(sum on.json 2 'dynamic_j|base_j')"
[ "$(sum on.json 2 static_j)" != 0 ] || failed "nothing leaks"
same "gated without a mechanism" "$(sum on.json 2 gating_j)" 0
for component in $("$SMELT" list components | awk '{ print $1 }'); do
    grep -q "^    \"$component\": {" on.json || failed "no $component in the JSON"
done

# Launches add up to the run exactly, and so do samples, but for what each of them rounds.
printf '%s\n' "module $ptx" 'buf a f32 512 iota' 'launch vecadd 2 1 1 256 1 1 0 @a @a @a u:512' \
    'launch vecadd 1 1 1 32 1 1 0 @a @a @a u:32' >two.job
works run -g gtx480 two.job --json two.json --sample 200
is_json two.json
same "launches with energy" "$(kernels two.json energy_j | wc -l)" 2
same "sum of the launches" "$(kernels two.json energy_j | add)" "$(total two.json energy_j)"
same "sum of their components" "$(sum two.json 6 "$parts")" "$(total two.json energy_j)"
awk '/^      "cycles":/ { last = 0 }
    $1 == "\"cycle\":" { span = $2 - last; last = $2; n++ }
    /^          "power_w":/ { s += $2 * span; w++ }
    END { if (n < 4 || n != w) { print n " samples, " w " with power"; exit 1 } printf "%.17g\n", s }' two.json >samples.txt ||
    failed "samples: $(cat samples.txt)"
awk -v s="$(cat samples.txt)" -v j="$(total two.json energy_j)" -v mhz="$(field two.json gpu.core_mhz)" \
    'BEGIN { d = s / (mhz * 1e6) / j - 1; exit !(d < 1e-6 && d > -1e-6) }' || failed "samples do not add up to the launches"

# Without the model there is no energy, and everything else is the same.
without_energy()
{
    awk '/^ *"(energy|energy_by_class|area)": \{/ { indent = match($0, /"/); skip = 1 }
        !skip && !/"(energy_j|power_w|power_noleak_w|front_end_j|front_end_share|power\.model|date|command|cpu_seconds|seconds|warp_insts_per_second)":/ {
            sub(/,$/, ""); print }
        skip && match($0, /}/) == indent { skip = 0 }' "$1"
}
works run -g gtx480 two.job --json off.json --sample 200 --set power.model=off
is_json off.json
grep -Eq '"(energy|energy_j|power_w|area|energy_by_class)"' off.json && failed "power.model=off has energy"
diff <(without_energy two.json) <(without_energy off.json) >diff.txt || failed "power.model=off: $(head diff.txt)"
works run -g gtx480 --functional "$job" --json functional.json
grep -Eq '"(energy|energy_j|power_w|energy_by_class)"' functional.json && failed "--functional has energy"

# The same run has the same energy, whatever the host does.
works run -g gtx480 two.job --json again.json --sample 200 --no-skip --threads 3
works compare --exact two.json again.json

# What the summary says.
works run -g gtx480 "$job"
grep -Eq '^smelt:   power +[0-9.]+ W  [0-9.e-]+ J, [0-9]+ % of it leakage; most:$' err.txt || failed "no line of power: $(cat err.txt)"
works run -g gtx480 "$job" --set power.model=off
grep -q '^smelt:   power ' err.txt && failed "power in the summary without the model"

# One event alone: so many instructions, so many picojoules.
printf '[power]\n' >free.conf
"$SMELT" list keys | sed -n 's/^power\.\(e_[a-z0-9_]*\|leak_[a-z0-9_]*\|idle_sm\|constant\|mc_base\) .*/\1 = 0/p' >>free.conf
works run -g gtx480 "$job" --json free.json --set power.table=./free.conf
same "free of cost" "$(total free.json energy_j)" 0
same "power for nothing" "$(total free.json power_w)" 0
# Where the file is: beside the GPU's file that names it, or below the folder of the command.
mkdir -p gpus/tables
cp free.conf gpus/tables/none.conf
cp free.conf gpus/none.conf
for table in tables/none.conf none.conf "$PWD/gpus/none.conf"; do
    printf 'base = gtx480\n[power]\ntable = %s\n' "$table" >gpus/mine.conf
    works run -g gpus/mine.conf "$job" --json mine.json
    same "free of cost, $table" "$(total mine.json energy_j)" 0
done
printf 'base = gtx480\n[power]\ntable = free.conf\n' >gpus/mine.conf
fails 2 'gpus/mine.conf:3: power.table: gpus/free.conf: No such file' run -g gpus/mine.conf "$job"
cat >leaves.cu <<'CU'
#include <unistd.h>
__global__ void k() {}
int main()
{
    if (chdir("/"))
        return 1;
    k<<<1, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
CU
works cc leaves.cu -o leaves
works run --set power.table=free.conf --json leaves.json ./leaves
same "free of cost in another folder" "$(total leaves.json energy_j)" 0

works run -g gtx480 "$job" --json one.json --set power.table=./free.conf --set power.e_decode=1e6
near "a microjoule an instruction" "$(total one.json energy_j)" \
    "$(awk -v n="$(total one.json warp_insts)" 'BEGIN { printf "%.17g", n * 1e-6 }')"
same "where it is" "$(sum one.json 2 dynamic_j)" "$(total one.json energy_j)"
same "front end" "$(total one.json front_end_share)" 1

# Half the voltage: a quarter of dynamic energy, half the leakage, the same base.
half=$(awk -v v="$(field on.json power.vdd_ref_mv)" 'BEGIN { printf "%.17g", v / 2 }')
works run -g gtx480 "$job" --json half.json --set "power.vdd_mv=$half" --set "power.vdd_ref_mv=$(field on.json power.vdd_ref_mv)"
awk -v d="$(sum on.json 2 dynamic_j)" -v hd="$(sum half.json 2 dynamic_j)" -v s="$(sum on.json 2 static_j)" \
    -v hs="$(sum half.json 2 static_j)" -v u="$(field on.json power.vdd_mv)" -v r="$(field on.json power.vdd_ref_mv)" \
    'function off(a, b) { return a > b ? a / b - 1 : b / a - 1 }
     BEGIN { x = u / r * 2; exit !(off(hd * x * x, d) < 1e-6 && off(hs * x, s) < 1e-6) }' || failed "half the voltage"
same "base at half the voltage" "$(sum half.json 2 base_j)" "$(sum on.json 2 base_j)"

# Stores that merge with a line on its way are no misses: no count may become negative.
cat >merge.ptx <<'END'
.version 3.1
.target sm_20
.address_size 64
.visible .entry k(.param .u64 a)
{
    .reg .u64 %rd<3>;
    .reg .u32 %r<3>;
    ld.param.u64 %rd1, [a];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mad.lo.u32 %r2, %r0, 16384, %r1;
    cvt.u64.u32 %rd2, %r2;
    add.u64 %rd0, %rd1, %rd2;
    st.global.u8 [%rd0], %r1;
    ret;
}
END
works run -g gtx480 merge.ptx --grid 32 --block 256 --arg 'buf:f32[1048576]=zero' --json merge.json \
    --set l2.write_miss=allocate --set mem.copy_warms_l2=off
awk -v j="$(total merge.json energy_j)" 'BEGIN { exit !(j > 0 && j < 0.1) }' || failed "merged stores: $(total merge.json energy_j) J"

# Tables: all at once, and first.
if [ -f "$SRC/conf/power/pascal16.conf" ]; then
    works run -g gtx480 "$job" --json pascal.json --set power.table=pascal16
    same "sum with another table" "$(sum pascal.json 2 "$parts")" "$(total pascal.json energy_j)"
    [ "$(total pascal.json energy_j)" != "$joules" ] || failed "power.table changes nothing"
fi
fails 2 "^smelt: --set: power.table: no table 'pascal61'; known: fermi40, fermi40-321, pascal16; did you mean pascal16\?$" run -g gtx480 "$job" --set power.table=pascal61
printf '[power]\nconstant = 3\ntable = fermi40\n' >late.conf
fails 2 '^smelt: late.conf:3: power.table: must come before the other keys of \[power\]$' run -g late.conf "$job"
printf '[power]\ntable = fermi40\nconstant = 3\n[gpu]\nn_sm = 1\n' >early.conf
works run -g early.conf "$job" --json early.json
same "a key after the table" "$(field early.json power.constant)" 3
same "a key of the table" "$(field early.json power.e_pipe_inst)" 1212.4
printf '[power]\ntable = ./self.conf\n' >self.conf
fails 2 'self.conf:2: power.table: a table has only the other keys of \[power\]$' run -g self.conf "$job"
printf '[sm]\nn_warp = 8\n' >other.conf
fails 2 'other.conf:2: sm.n_warp: a table has only the other keys of \[power\]$' run "$job" --set power.table=other.conf

# What fetches from a large I-cache behind a small one cost is no large part of a chip's power.
for gpu in v100 gtx1080 gtx480-hw; do
    works run -g $gpu --json fetch.json hotspot --size 128
    awk '/^  "/ { object = $1 }
        object == "\"energy\":" && /^    "/ { component = $1 }
        object == "\"energy\":" && $1 ~ /_j"/ { s[component == "\"icache\":"] += $2 }
        END { exit !(s[1] > 0 && s[1] < 0.1 * (s[0] + s[1])) }' fetch.json ||
        failed "$gpu: more than a tenth of its power is the I-cache's, or nothing"
done

# Names are explained.
works explain sp0_int
grep -q '^sp0_int: integer pipeline of cluster SP0' out.txt || failed "explain sp0_int: $(cat out.txt)"
works explain power.e_fp_fma
grep -Eq '^  gtx480  *29\.5799$' out.txt || failed "explain power.e_fp_fma: $(cat out.txt)"
fails 2 'did you mean sp0_int' explain sp0_itn

finish
