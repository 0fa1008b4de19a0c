#!/usr/bin/env bash
# A configuration that is ended by a signal, or takes too long, has a name and a command; the next one runs all
# the same, and the whole fails.  So it does if next to all are refused.
#
#   ended.sh RANDOM_CONFIG
set -euo pipefail

# SIGNAL KIND WHAT: both configurations end so.
check()
{
    local status=0
    "$1" --seed 5 --count 2 --raise "$2" >out.txt || status=$?
    [ $status -eq 1 ] || { echo "status $status"; exit 1; }
    for seed in 5 6; do
        grep -qF "$3, --seed $seed --count 1: $4" out.txt || { cat out.txt; exit 1; }
    done
    [ "$(grep -c '^    smelt run -g ' out.txt)" -eq 2 ] || { cat out.txt; exit 1; }
    grep -qE "^all .* 0 right.*, 2 $3[,;]" out.txt || { cat out.txt; exit 1; }
}

check "$1" 9 crashed 'ended by signal 9 (Killed)'
check "$1" 24 'too long' 'takes too long'

# All GPUs are refused, whatever is drawn: files of their names that are found first.
rm -rf conf
mkdir -p conf/gpu
for gpu in "$SRC"/conf/gpu/*.conf; do
    printf '[l1c]\nline = 33\n' >"conf/gpu/${gpu##*/}"
done
status=0
SMELT_CONF_DIR=$PWD/conf "$1" --count 20 >out.txt || status=$?
[ $status -eq 1 ] && grep -q '^fewer than half are right' out.txt || { cat out.txt; exit 1; }
