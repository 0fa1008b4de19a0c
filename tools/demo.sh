#!/usr/bin/env bash
#
# demo.sh [DIR] -- what smelt is for, in less than half a minute: a CUDA program, five ideas beside their
# baselines, a sweep, and the pages they made, which stay in DIR (build/demo).  SMELT is the command to
# show; without it, the one that ./run build makes.  Ends with status 0 only if every number was right:
# programs check their own results, and what tables say is computed again from the runs' own results.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export SMELT=${SMELT:-build/release/smelt}
SMELT=$(readlink -f "$SMELT")
out=${1:-build/demo}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -rf "$out"
mkdir -p "$out"

say()
{
    printf '\n# %s\n' "$@"
}

# Shows a command as a user would type it, then runs it.
show()
{
    printf '$ smelt'
    printf ' %s' "${@@Q}" | sed "s/ '\([^' ;]*\)'/ \1/g"
    printf '\n'
    "$SMELT" "$@" 2>"$log" || {
        cat "$log" >&2
        exit 1
    }
}

verify()
{
    local what=$1
    shift
    "$@" || {
        echo "# WRONG: $what" >&2
        exit 1
    }
    echo "# verified: $what"
}

say "1. A CUDA program, compiled by clang and run on a simulated GTX 480: examples/saxpy.cu."
show cc examples/saxpy.cu -o "$out/saxpy"
show run "$out/saxpy" | tee "$out/mean.txt"
sed -n '1,3p; /IPC  /p; /power /p' "$log"
verify "3 * 1 + 2 = 5, as the mean of 65536 numbers; cycles and IPC are those of the JSON" \
    tools/demo_check.sh saxpy "$out" "$log"

say "2. Five published ideas, each on a small program and beside its own GPU's baseline."
show reproduce ideas -o "$out/ideas"
cat "$out/ideas/ideas.txt"
verify "10 programs found their results right; 15 figures and 9 counters agree with the runs" \
    tools/demo_check.sh ideas "$out"

say "3. One key of a mechanism, varied.  Runs that are in the store are not made again."
sizes="mech=none;buddy:size=2;buddy:size=4;buddy:size=8"
show sweep -g buddy --vary "$sizes" "aes --size 32768" --metric total.cycles --metric total.energy_j \
    --store "$out/ideas/store.db" -o "$out/sweep" | tee "$out/sweep.txt"
tail -1 "$log"
verify "the table has what its runs have, and one of them made again has the same cycles" \
    tools/demo_check.sh sweep "$out"

say "4. The pages that this made, with tables, pictures and machines; they open from disk:"
printf '    %s\n' "$out/ideas/report.html" "$out/sweep/report.html"
verify "both pages are whole" grep -q '</html>' "$out/ideas/report.html" "$out/sweep/report.html"
say "Next: smelt list mechanisms, smelt explain gates, smelt reproduce gates, README.md."
