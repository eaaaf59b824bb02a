#!/usr/bin/env bash
# Builds and runs the Go project beside this file in every way that a user's project may get the module (README.md here). Needs build/release.
# Ends with `N passed, N failed`.
. "$(dirname "$0")/../../../scripts/parts/common.sh"
. "$ROOT/bindings/go/tools.sh"
need_go || fail "no Go of version 1.24 or later"

here=$ROOT/tests/consumers/go
work=$BUILD/go/consumers
module=$(sed -n 's/^module //p' "$ROOT/go.mod")
version=v$(cat "$ROOT/VERSION")
package=$module/bindings/go/bankml
# No network, no checksum database; the module cache can be removed.
export GOPROXY=off GOSUMDB=off GOMODCACHE=$work/modcache GOFLAGS="$GOFLAGS -modcacherw"
rm -rf "$work"
mkdir -p "$work"

gcc "$ROOT/tests/consumers/main.c" -I"$ROOT/capi/include" "$BUILD/release/capi/libbankml.a" -lstdc++ -lm -o "$work/main" ||
  fail "the C consumer does not build: is build/release there?"
expected=$("$work/main")
# prints PROGRAM: what the C consumer printed.
prints() { [ "$("$1")" = "$expected" ] || { printf 'printed: %s\nnot:     %s\n' "$("$1")" "$expected"; return 1; }; }

# project NAME: a copy of the project, which asks for the version of this tree.
project() {
  mkdir -p "$work/$1" && cp -r "$here/go.mod" "$here/main.go" "$here/other" "$work/$1/" && cd "$work/$1" && go mod edit -require="$module@$version"
}

by_replace() { project replace && go mod edit -replace="$module=$ROOT" && go build -o consumer . && prints ./consumer; }
count "replace" by_replace

# In the checkout the sources are found through ../../..; a vendored copy has only what the module's packages name.
vendored() {
  project vendored && go mod edit -replace="$module=$ROOT" && go mod vendor && go mod edit -dropreplace="$module" &&
    sed -i 's/ => .*//' vendor/modules.txt && [ -f "vendor/$module/capi/src/bankml_unity.cpp" ] &&
    go build -mod=vendor -o consumer . && prints ./consumer
}
count "go mod vendor" vendored

# proxied: as `go get` does it, from a proxy that is a folder.
proxied() {
  local at=$work/proxy/$module/@v
  go_module_zip "$version" "$at" && echo "$version" >"$at/list" && cp "$at/$version.zip" "$work/module.zip" || return 1
  export GOPROXY=file://$work/proxy GOFLAGS="$GOFLAGS -mod=mod"
  project proxied && go get "$package@latest" && grep -qF "$module $version h1:" go.sum &&
    [ "$(go list -m -f '{{.Version}}' "$module")" = "$version" ] && go build -o consumer . && prints ./consumer
}
count "module proxy" proxied
small_zip() { [ "$(stat -c %s "$work/module.zip")" -lt 4000000 ] && ! unzip_names | grep -E '/(tests/vectors|tests/consumers/go|fuzz)/'; }
unzip_names() { python3 -m zipfile -l "$work/module.zip" | awk '{ print $1 }'; }
count "the module's zip leaves test data out" small_zip
count "the module's zip has the sources" eval "unzip_names | grep -qF '@$version/core/chain/sampler.cpp'"

without_cgo() { cd "$work/replace" && CGO_ENABLED=0 go build "$package"; }
refuses "without cgo" "bankml_needs_cgo" without_cgo
only_our_text() { [ "$(without_cgo 2>&1 | grep -c 'undefined:')" = 1 ]; }
count "without cgo, nothing else is said" only_our_text

# Over an installed library: nothing of the core is compiled or linked in.
installed() {
  cmake --install "$BUILD/release" --prefix "$work/prefix" >"$LOGS/go-consumer-install.log" || return 1
  local library
  library=$(find "$work/prefix" -name 'libbankml.so' -exec dirname {} \;)
  export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
  cd "$work/replace" && go build -tags bankml_system -o over_installed . && prints ./over_installed &&
    readelf -d over_installed | grep -q 'NEEDED.*libbankml\.so'
}
need_command pkg-config pkg-config && need_command readelf binutils
count "installed library (bankml_system)" installed

static() { cd "$work/replace" && go build -ldflags '-linkmode external -extldflags -static' -o static . && prints ./static && ! readelf -d static | grep NEEDED; }
count "static program" static
finish
