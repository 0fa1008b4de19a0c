# lib.bash -- for the scripts of this folder: an empty folder, a small job, and checks.
set -uo pipefail

SMELT_TOOLKIT=$(dirname "$SMELT")/toolkit
export SMELT_TOOLKIT
rm -rf work && mkdir work && cd work || exit 1

die()
{
    echo "failed: $*"
    exit 1
}

same()
{
    [ "$2" = "$3" ] || die "$1: '$2', expected '$3'"
}

sql()
{
    sqlite3 "$@"
}

intact()
{
    same "integrity of $1" "$(sql "$1" 'PRAGMA integrity_check')" ok
    same "claims left in $1" "$(sql "$1" 'SELECT count(*) FROM claim')" 0
}

# Runs in RUN_LOG that began, or ended, more than once.
twice()
{
    grep "^$1 " "$RUN_LOG" | sort | uniq -d | wc -l
}

# A launch of two warps that takes some hundred cycles.
cp "$SRC/bench/saxpy.ptx" .
cat >a.job <<'EOF_JOB'
module saxpy.ptx
buf x f32 64 iota
buf y f32 64 zero
launch saxpy 1 1 1 64 1 1 0 @x @y f:0.5 i:64
expect sum y 1008
EOF_JOB
sed 's/1008/1009/' a.job >bad.job
# One that takes longer than any test.
{
    echo 'module saxpy.ptx'
    echo 'buf x f32 1048576 iota'
    echo 'buf y f32 1048576 zero'
    yes 'launch saxpy 4096 1 1 256 1 1 0 @x @y f:0.5 i:1048576' | head -n 2000
} >long.job
