#!/usr/bin/env bash
# The outcome of races in a program does not depend on the host.
set -uo pipefail
"$SMELT" cc "$SRC/tests/timing/racy.cu" -o racy || exit 1
exec bash "$SRC/tests/timing/identical.sh" ./racy
