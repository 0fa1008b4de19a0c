#!/usr/bin/env bash
# Named sets: every member is a workload, every kernel one of its kernels, and the sets have the
# size that their names say.
set -uo pipefail

die()
{
    echo "$*"
    exit 1
}

sets=$("$SMELT" list sets)
for name in all amoeba-motivation amoeba12 buddy17 gates18 quick share33 socgpu22; do
    grep -q "^$name  " <<<"$sets" || die "no set $name"
done
for pair in amoeba-motivation:9 amoeba12:12 buddy17:17 gates18:18 quick:8 share33:33 socgpu22:22; do
    n=$("$SMELT" explain "${pair%:*}" | grep -c '^  ')
    [ "$n" -eq "${pair#*:}" ] || die "${pair%:*} has $n members"
done
[ "$("$SMELT" explain all | grep -c '^  ')" -eq "$("$SMELT" list workloads | wc -l)" ] ||
    die "all is not every workload"
# What is said of each workload, asked once: about.NAME.
mapfile -t names < <("$SMELT" list workloads | cut -d' ' -f1)
"$SMELT" explain "${names[@]}" | awk -v list="${names[*]}" '
    BEGIN { split(list, name) }
    $1 == name[n + 1] && $2 == "--" { n++ }
    { print >("about." name[n]) }'
"$SMELT" explain share33 | sed -n 's/^  //p' | while read -r label program at kernel; do
    [ "$at" = @ ] || die "$label is no single kernel"
    grep -q "^kernels: .*\b$kernel\b" "about.$program" || die "$program has no kernel $kernel"
done || exit 1
for name in "${names[@]}"; do
    for field in suite stresses papers kernels size large odd tiny time; do
        grep -q "^$field: ." "about.$name" || die "$name does not say its $field"
    done
    grep -q "^| \`$name\` |" "$SRC/workloads/README.md" || die "$name is not in workloads/README.md"
done
exit 0
