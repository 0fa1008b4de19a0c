#!/usr/bin/env bash
# What counts as off does not leak, and nothing else changes; what a mechanism charges is in the joules.  The mechanism
# noop says of a component that it is off for some cycles after each CTA, and can charge for instructions.
. "$SRC/tests/e2e/lib/check.bash"

ptx=$SRC/examples/vecadd.ptx
printf '%s\n' "module $ptx" 'buf a f32 4000 iota' 'launch vecadd 16 1 1 256 1 1 0 @a @a @a u:4000' \
    'launch vecadd 7 1 1 64 1 1 0 @a @a @a u:400' 'sum a' >two.job

# Everything but energy, residency, the mechanism itself and the host.
rest()
{
    jq 'del(.host, .build, .mechanisms, .energy, .area, .total)
        | del(.kernels[] | (.energy, .energy_j, .power_w, .power_noleak_w))
        | del(.kernels[].samples[]? | (.power_w, .power_noleak_w))
        | (.stats, .kernels[].stats) |= with_entries(select(.key | test("_(off|waking|gating)$|^noop_") | not))' "$1"
}

works run -g tiny two.job --json base.json --sample 150
mv out.txt base.txt
rest base.json >base.rest
jq -e '[.stats | keys[] | select(test("_(off|waking|gating)$"))] ==
    ["sfu_gating", "sfu_off", "sp0_fp_gating", "sp0_fp_off", "sp0_int_gating", "sp0_int_off",
     "sp1_fp_gating", "sp1_fp_off", "sp1_int_gating", "sp1_int_off"]' base.json >/dev/null || failed "rows without a mechanism"

# The leakage that is saved: off by all parts of all SMs' cycles; the rest of the energy is the same to the last bit.
# tiny has one cluster and one SFU, so a pipeline is all of its component; of the network an SM has its part.
check='
    $base[0] as $b | .config as $c | ($c["gpu.n_sm"] | tonumber) as $n
    | (($c["mem.channels"] | tonumber) * ($c["mem.slices"] | tonumber) + $n) as $ports
    | (if $name == "noc" then 192 * $ports else $parts * $n end) as $all
    | def near($x; $y): ($x - $y) as $d | $d * $d <= 1e-26;
      def leaks($new; $old): near($new.energy[$name].static_j;
            $old.energy[$name].static_j * (1 - $new.stats[$name + "_off"] / ($all * $new.stats.sm_cycles / $n)))
        and near($new.energy[$name].gating_j;
            $old.energy[$name].static_j * $new.stats[$name + "_gating"] / ($all * $new.stats.sm_cycles / $n));
      def others($e): $e | map_values({dynamic_j, base_j}) + (del(.[$name]) | map_values(.static_j));
      leaks(.; $b) and ([range(2) as $k | leaks(.kernels[$k]; $b.kernels[$k])] | all)
      and .stats[$name + "_off"] == ([.kernels[].stats[$name + "_off"]] | add)
      and .stats[$name + "_off"] + (.stats[$name + "_waking"] // 0) <= $parts * .stats.sm_cycles
      and .stats[$name + "_off"] > 0 and others(.energy) == others($b.energy)
      and (.energy[$name].static_j < $b.energy[$name].static_j or $b.energy[$name].static_j == 0)'
n=0
for name in $("$SMELT" list components | awk '{ print $1 }'); do
    "$SMELT" explain -g tiny "$name" | awk '/one for/ && /each SM/ { ok = 1 } END { exit !ok }' || [ "$name" = noc ] || continue
    parts=192
    case $name in sp0_* | sp1_* | sfu | dp) parts=1 ;; esac
    m=noop:off=$name,off_parts=$parts,off_cycles=$((40 + 9 * n)),off_waking=5,off_cost=3
    works run -g tiny two.job --json new.json --sample 150 -m "$m"
    cmp -s out.txt base.txt || failed "$name: another result"
    rest new.json | cmp -s - base.rest || failed "$name: something else changes: $(rest new.json | diff - base.rest | head -5)"
    jq -e --arg name "$name" --argjson parts $parts --slurpfile base base.json "$check" new.json >/dev/null ||
        failed "$name: leakage is not its share: $(jq -c --arg n "$name" '.energy[$n], .stats[$n + "_off"]' new.json)"
    works run -g tiny two.job --json again.json --sample 150 -m "$m" --no-skip --threads 2
    works compare --exact new.json again.json
    n=$((n + 1))
done
same "components of an SM" $n 23

# A part of a component: an eighth of the cache saves an eighth of what all of it saves.
works run -g tiny two.job --json whole.json -m noop:off=l1_shared
works run -g tiny two.job --json eighth.json -m noop:off=l1_shared,off_parts=24
same "an eighth" $((8 * $(field eighth.json l1_shared_off))) "$(field whole.json l1_shared_off)"
jq -ne --slurpfile b base.json --slurpfile w whole.json --slurpfile e eighth.json '
    def saved($x): $b[0].energy.l1_shared.static_j - $x[0].energy.l1_shared.static_j;
    (8 * saved($e) - saved($w)) as $d | saved($w) > 0 and $d * $d < 1e-24' >/dev/null || failed "an eighth of the cache"

# --- energy of a mechanism's own events: counter x pJ, to the component that it names, in each launch and sample ---
for to in mechanism l2 sp1_fp; do
    works run -g tiny two.job --json event.json --sample 150 -m "noop:issue_pj=750,issue_to=$to"
    rest event.json | cmp -s - base.rest || failed "charging for $to changes something else"
    jq -e --arg to $to --slurpfile base base.json '
        ($base[0]) as $b | (.config["power.vdd_mv"] | tonumber) as $v | (.config["power.vdd_ref_mv"] | tonumber) as $ref
        | def near($x; $y): ($x - $y) as $d | $d * $d <= 1e-24;
          (.stats.noop_issue * 750e-12 * $v * $v / $ref / $ref) as $j
        | .stats.noop_issue == .stats.warp_insts and near(.energy[$to].dynamic_j - $b.energy[$to].dynamic_j; $j)
          and near(.total.energy_j - $b.total.energy_j; $j)
          and near([.kernels[].energy_j] | add; .total.energy_j)
          and ([range(2) as $k | near(.kernels[$k].energy[$to].dynamic_j - $b.kernels[$k].energy[$to].dynamic_j;
                .kernels[$k].warp_insts * 750e-12 * $v * $v / $ref / $ref)] | all)
          and ([.kernels[].samples[].power_w] | add) > ([$b.kernels[].samples[].power_w] | add)' event.json >/dev/null ||
        failed "energy of events does not add up for $to: $(jq -c --arg to $to '.energy[$to], .stats.noop_issue' event.json)"
done

fails 2 "^smelt: -m noop:off=icahce: noop.off: no component 'icahce'; did you mean icache\?$" run -g tiny two.job -m noop:off=icahce
fails 2 "^smelt: -m noop:off=l2: noop.off: l2 is the chip's, not an SM's$" run -g tiny two.job -m noop:off=l2
fails 2 "^smelt: -m noop:off=noc: noop.off: noc: with noc.kind=ideal an SM has no router$" run -g tiny two.job -m noop:off=noc --set noc.kind=ideal
fails 2 "^smelt: -m noop:issue_to=x: noop.issue_to: no component 'x'; see smelt list components$" run -g tiny two.job -m noop:issue_to=x

finish
