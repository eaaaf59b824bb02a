#!/usr/bin/env bash
# Prints the lines of bindings/go/internal/bindcost.
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib.sh"
. "$ROOT/bindings/go/tools.sh"
set -e
need_go >&2
cd "$ROOT"
run_logged go-bindcost go build -o "$BUILD/go/bindcost" ./bindings/go/internal/bindcost
exec "$BUILD/go/bindcost"
