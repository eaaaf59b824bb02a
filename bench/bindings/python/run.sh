#!/usr/bin/env bash
# Builds and installs the Python package if that was not done for this state of the sources, then prints its lines (../README.md).
set -euo pipefail
. "$(dirname "$0")/../../../scripts/lib.sh"
. "$ROOT/bindings/python/package.sh"
python=$(python_from_wheel) || fail "the Python package does not build"
"$python" "$ROOT/bench/bindings/python/cost.py"
