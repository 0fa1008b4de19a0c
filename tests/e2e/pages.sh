#!/usr/bin/env bash
#
# pages.sh -- the manual page and the completions: every command and option is there, shells and troff take
# them, and bash completes commands, options and names.
set -uo pipefail

die()
{
    echo "$*"
    exit 1
}

for page in man bash zsh; do
    "$SMELT" pages $page >page.$page || die "no page $page"
done
groff -man -ww -z page.man 2>warnings && [ ! -s warnings ] || die "troff: $(head -n 1 warnings)"
bash -n page.bash || die "bash does not take its completion"
zsh -n page.zsh || die "zsh does not take its completion"

commands=$("$SMELT" --help | sed -n 's/^  \([a-z]\{2,\}\)  *.*/\1/p' | grep -v '^smelt$')
[ "$(wc -w <<<"$commands")" -ge 9 ] || die "too few commands: $commands"
for command in $commands; do
    grep -q "^\.B smelt $command\$" page.man || die "man: no $command"
    grep -q "^    $command)\$" page.bash || die "bash: no $command"
    grep -q "^    $command)\$" page.zsh || die "zsh: no $command"
done
for option in --gpu --set --functional --json --threads --lines; do
    grep -q -- "\\\\-\\\\-${option#--}" page.man || die "man: no $option"
    grep -q -- " $option[ \"]" page.bash || die "bash: no $option"
    grep -q -- "'\*$option\[" page.zsh || die "zsh: no $option"
done

# What bash offers behind these words, the last of which may be the beginning of one.
complete_words()
{
    COMP_WORDS=(smelt "$@") COMP_CWORD=$#
    _smelt 2>/dev/null
    echo "${COMPREPLY[*]}"
}
mkdir -p bin && ln -sf "$SMELT" bin/smelt && PATH=$PWD/bin:$PATH
source ./page.bash
[ "$(complete_words dis)" = disasm ] || die "dis: $(complete_words dis)"
[ "$(complete_words run --funct)" = --functional ] || die "--funct: $(complete_words run --funct)"
[ "$(complete_words run -g gtx480-h)" = gtx480-hw ] || die "-g: $(complete_words run -g gtx480-h)"
[ "$(complete_words run backp)" = backprop ] || die "backp: $(complete_words run backp)"
[ "$(complete_words list work)" = workloads ] || die "list work: $(complete_words list work)"
[ "$(complete_words run --set sm.n_w)" = sm.n_warp ] || die "--set: $(complete_words run --set sm.n_w)"
exit 0
