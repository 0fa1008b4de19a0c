#!/usr/bin/env bash
#
# disasm.sh NAME -- the machine code in NAME.disasm is still what `smelt disasm` prints.  The file's
# first line says with which arguments, relative to the source tree.  After a change that is meant to
# change code: UPDATE=1 SRC=. SMELT=build/release/smelt tests/golden/disasm.sh NAME
set -euo pipefail

golden=$SRC/tests/golden/$1.disasm
read -r first <"$golden"
read -ra arguments <<<"${first#\# disasm }"
code=$(cd "$SRC" && "$(readlink -f "$SMELT")" disasm "${arguments[@]}")
if [ -n "${UPDATE:-}" ]; then
    printf '%s\n%s\n' "$first" "$code" >"$golden"
fi
diff -u "$golden" <(printf '%s\n%s\n' "$first" "$code")
