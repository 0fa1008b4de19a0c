# check.bash -- for the scripts of tests/e2e: run the command, compare what it does.
#
#   fails STATUS 'PATTERN' ARGS..   smelt ARGS ends with STATUS, one line on stderr matches PATTERN
#   works ARGS..                    smelt ARGS ends with 0; its output is in out.txt and err.txt
#   is_json FILE                    FILE is valid JSON
#   field FILE KEY                  the value of the last KEY in FILE (one entry a line)
#
# A failed check is told and counted; the script ends with `finish`.
set -uo pipefail

n_failed=0

failed()
{
    echo "failed: $*"
    n_failed=$((n_failed + 1))
}

finish()
{
    [ $n_failed -eq 0 ] || exit 1
    exit 0
}

fails()
{
    local status=$1 pattern=$2 got=0
    shift 2
    "$SMELT" "$@" >out.txt 2>err.txt </dev/null || got=$?
    [ "$got" -eq "$status" ] || failed "status $got instead of $status: smelt $*"
    grep -qE -- "$pattern" err.txt || failed "no '$pattern' from: smelt $* (but: $(cat err.txt))"
    if [ "$status" -eq 2 ] && [ "$(grep -c '^smelt: ' err.txt)" -ne 1 ]; then
        failed "not one message from: smelt $* (but: $(cat err.txt))"
    fi
}

works()
{
    local got=0
    "$SMELT" "$@" >out.txt 2>err.txt </dev/null || got=$?
    [ "$got" -eq 0 ] || failed "status $got: smelt $* ($(cat err.txt))"
}

is_json()
{
    LC_ALL=C awk -f "$SRC/tests/e2e/lib/json.awk" "$1" || failed "$1 is not JSON"
}

field()
{
    awk -v key="\"$2\":" '$1 == key { sub(/^[^:]*: /, ""); sub(/,$/, ""); v = $0 } END { print v }' "$1"
}

same()
{
    [ "$2" = "$3" ] || failed "$1: '$2', expected '$3'"
}
