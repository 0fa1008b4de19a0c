#!/usr/bin/env bash
# Options from files: @FILE and --options-file, quotes in them, files that name others.
. "$SRC/tests/cc/lib.bash"

printf '%s\n' '-DVALUE=3 -o' '"with blank"' '-I . @more.txt' >options.txt
echo "'-DTEXT=\"a b\"' prog.cu" >more.txt
works cc @options.txt
passes "./with blank"
works cc --options-file options.txt -O2
works cc -optf=options.txt -O2
echo '@loop.txt' >loop.txt
fails 2 'names itself' cc @loop.txt
finish
