#!/usr/bin/env bash
# All papers, with few programs and small inputs; what comes of each is in a table at the end.
set -euo pipefail

rm -rf out
"$SMELT" reproduce all --quick -o out >said.txt
for paper in amoeba buddy gates share socgpu; do
    grep -qE "^$paper +[0-9]+ of [1-9][0-9]* +[0-9]+ of [1-9][0-9]* *$" said.txt || { cat said.txt && exit 1; }
done
