#!/usr/bin/env bash
# Memory of the host that kernels use lies wherever the host has put it; time does not depend on that.
set -uo pipefail
"$SMELT" cc "$SRC/examples/saxpy.cu" -o managed || exit 1
exec bash "$SRC/tests/timing/identical.sh" ./managed
