#!/usr/bin/env bash
#
# pages_name_code.sh -- what docs/WALK.md, docs/ADDING.md and README.md name in the source is there: files and
# folders by path, files by name, and functions, fields, macros and hooks as words, in the file that is named
# with them: "`function` (`src/../file.c`)", "`function` in `src/../file.c`".
set -uo pipefail
cd "$SRC" || exit 1

findings=0
finding()
{
    echo "$*"
    findings=$((findings + 1))
}

# What is quoted in a page outside of blocks of code, one a line, the number of its line before it.
quoted()
{
    awk '/^```/ { fenced = !fenced; next }
        fenced || /^    / { next }
        { line = $0
          while (match(line, /`[^`]+`/)) {
              print NR ":" substr(line, RSTART + 1, RLENGTH - 2)
              line = substr(line, RSTART + RLENGTH)
          } }' "$1"
}

# "`function` in `path`" and "`function` (`path`", over line ends: lines FUNCTION PATH.
functions_with_files()
{
    tr '\n' ' ' <"$1" | tr -s ' ' |
        grep -oE '`[a-z_0-9]+(\(\))?` (in|\() ?`[a-z_./0-9]+\.(c|h|inc|def)`' |
        sed -E 's/^`([a-z_0-9]+)(\(\))?` (in|\() ?`(.*)`$/\1 \4/'
}

# The files of that name, or that path.
files_of()
{
    if [[ $1 == */* ]]; then ls "$1" 2>/dev/null; else find src tests -name "$1"; fi
}

check_page()
{
    local page=$1 line what file function found
    while IFS=: read -r line what; do
        case $what in
        *[A-Z][A-Z]* | .* | *' '* | *'*'* | *..* | *\<* | *=*) ;; # a pattern, a command, a name of others
        src/* | tests/* | conf/* | docs/* | studies/* | cmake/* | tools/* | bench/* | workloads/* | examples/*)
            [ -e "$what" ] || finding "$page:$line: there is no $what" ;;
        *.c | *.h | *.def | *.inc)
            [ -n "$(files_of "$what")" ] || [ -e "src/$what" ] || finding "$page:$line: no file is called $what" ;;
        *_*)
            [[ $what =~ ^[a-z_0-9]+$ ]] || continue
            grep -rqwF -- "$what" src tests cmake || finding "$page:$line: nothing in src is called $what" ;;
        esac
    done < <(quoted "$page")
    while read -r function file; do
        found=$(files_of "$file")
        [ -n "$found" ] || { finding "$page: no file is called $file" && continue; }
        # shellcheck disable=SC2086
        grep -qwF -- "$function" $found || finding "$page: there is no $function in $file"
    done < <(functions_with_files "$page")
}

for page in docs/WALK.md docs/ADDING.md README.md; do
    [ "$(quoted "$page" | wc -l)" -ge 20 ] || finding "$page: hardly anything is quoted in it"
    check_page "$page"
done
[ "$(functions_with_files docs/WALK.md | wc -l)" -ge 15 ] || finding "WALK.md names too few functions with their files"
[ $findings -eq 0 ]
