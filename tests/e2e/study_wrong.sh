#!/usr/bin/env bash
# Bad studies (tests/study/bad): one line each, with file and line, and status 2.  The first line of
# a file says which: "-- LINE: MESSAGE", with % for what is not compared; line 0: of the whole file.
# shellcheck source=tests/e2e/lib/check.bash
source "$SRC/tests/e2e/lib/check.bash"

cp -r "$SRC/tests/study" .
rm -rf out
n=0
for file in study/bad/*.lua; do
    IFS= read -r first <"$file" || true
    case $file in */binary.lua) first="-- 1: no text; a study is a text in Lua" ;; esac
    line=${first#-- }
    where=":${line%%: *}: "
    pattern="smelt: $file${where/:0: /: }${line#*: }*"
    got=0
    said=$("$SMELT" sweep "$file" -o out --store all.db 2>&1 </dev/null) || got=$?
    said=$(grep -v -e ': [0-9]* runs, everything goes to' -e ' in all.db' <<<"$said")
    same "$file: status" $got 2
    # shellcheck disable=SC2053
    [[ $said == ${pattern//%/*} ]] || failed "$file: $said"
    [ "$(wc -l <<<"$said")" -eq 1 ] || failed "$file: more than a line"
    n=$((n + 1))
done
[ $n -ge 60 ] || failed "only $n bad studies"

# A name as long as paths may be is told whole; a file that is none, too.
dir=$(printf 'folder-%02d/' {1..12})
mkdir -p "$dir"
cp study/bad/syntax.lua "$dir"
fails 2 "^smelt: ${dir}syntax.lua:3: <name> expected near '='\$" sweep "${dir}syntax.lua"
fails 2 '^smelt: none.lua: No such file or directory$' sweep none.lua
finish
