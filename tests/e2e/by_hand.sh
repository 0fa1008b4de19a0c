#!/usr/bin/env bash
#
# by_hand.sh -- cmake by hand, as README.md says it, builds what is installed and no tests; the presets
# that exist for tests have them.
source "$SRC/tests/e2e/lib/check.bash"

rm -rf ./*
configure() # PRESET
{
    cmake -S "$SRC" --preset "$1" -B "$PWD/$1" >"$1.txt" 2>&1 || failed "preset $1: $(tail -3 "$1.txt")"
}

steps() # FOLDER TARGET
{
    ninja -C "$1" -t commands "$2" | wc -l
}

configure release
ninja -C release -t commands all | grep -oE -- "-c $SRC/tests/.*" >tests.txt
[ -s tests.txt ] && failed "tests by default: $(head -3 tests.txt)"
same "what is built and what is installed" "$(steps release all)" "$(steps release product)"
[ "$(steps release all)" -lt 400 ] || failed "$(steps release all) steps"
configure debug
[ "$(steps debug all)" -gt "$(steps debug product)" ] || failed "no tests in the preset debug"
finish
