# what: the Go package: tests, race detector, recorded cases, examples, consumers; --long adds cgocheck2, compilers, arm64, i386
# depths: default long
. "$(dirname "$0")/common.sh"
. "$ROOT/bindings/go/tools.sh"

replay=$BUILD/release/tests/replay/bankml_replay
c_examples=$BUILD/release/examples/c
need "no Go of version 1.24 or later can be had" need_go
[ -x "$replay" ] && [ -x "$c_examples/generate" ] ||
  need "the C++ side does not build" configure_and_build build/release "-DCMAKE_BUILD_TYPE=Release"
note "$(go version)"

# The consumers compile the library twice, each in one process: that runs beside the rest.
tests/consumers/go/run.sh >"$LOGS/go-consumers.out" 2>&1 &
consumers=$!

# gotests NAME ARGUMENT...: go test; each test function counts, and each test of those made of several. A skipped one is named in the log;
# where CI=true it is a failure. Always run anew, since what the C programs print is no input that Go's cache knows.
gotests() {
  local name=$1 log status failed
  shift
  log=$LOGS/$name.verbose.log
  go test -count=1 -v "$@" >"$log" 2>&1
  status=$?
  failed=$(grep -c '^ *--- FAIL' "$log")
  [ "${CI:-}" != true ] || failed=$((failed + $(grep -c '^ *--- SKIP' "$log")))
  [ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  grep -E -A 20 '^ *--- (FAIL|SKIP)|^(FAIL|panic|fatal|#|WARNING: DATA RACE)' "$log"
  printf '%s passed, %s failed\n' "$(grep -c '^ *--- PASS' "$log")" "$failed"
  [ "$failed" -eq 0 ]
}
packages=(. ./bindings/go/... ./examples/...)
threads='Goroutine|CloseDuring|Shared|Forgotten|Batch'

formatted() { local files; files=$(gofmt -l sources.go bindings/go examples tests/consumers/go) && [ -z "$files" ] || { echo "$files"; return 1; }; }
count "gofmt" formatted
count "go vet" go vet "${packages[@]}"
export BANKML_C_EXAMPLES=$c_examples
tally go-tests gotests go-tests "${packages[@]}"

adapter=$BUILD/go/adapter
mapfile -t vectors < <(find tests/vectors -name '*.jsonl' | sort)
count "adapter builds" go build -o "$adapter" ./bindings/go/internal/adapter
tally go-vectors "$replay" --adapter "$adapter" "${vectors[@]}"

tally go-race gotests go-race -race -run "$threads" ./bindings/go/bankml

# A changed source of the core must rebuild the package: it is an input of the module's root, which the package imports.
inputs() { go list -deps -f '{{range .EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}' ./bindings/go/bankml; }
all_sources_are_inputs() {
  diff <(inputs | sed "s|^$ROOT/||" | grep -E '\.(h|cpp|inl|inc)$' | LC_ALL=C sort) \
    <(find core capi/include capi/src -type f | grep -E '\.(h|cpp|inl|inc)$' | LC_ALL=C sort)
}
count "every source is an input" all_sources_are_inputs

wait $consumers
tally go-consumers cat "$LOGS/go-consumers.out"
[ "$DEPTH" = long ] || finish

# ---- The long run
staticcheck() {
  GOBIN=$BUILD/go/bin GOFLAGS=-mod=mod go install honnef.co/go/tools/cmd/staticcheck@v0.8.2 &&
    "$BUILD/go/bin/staticcheck" -checks 'all,-ST1000,-ST1005' "${packages[@]}"
}
count "staticcheck" staticcheck

# Every pointer that goes to C is checked at run time.
cgocheck2() { GOEXPERIMENT=cgocheck2 gotests go-cgocheck2 ./bindings/go/bankml; }
tally go-cgocheck2 cgocheck2
tally go-race-all gotests go-race-all -race ./bindings/go/bankml

# with NAME VARIABLE=VALUE...: the recorded cases through a package that was compiled otherwise; the C++ is what differs.
with() {
  local name=$1
  shift
  count "$name builds" env "$@" go build -o "$BUILD/go/adapter-$name" ./bindings/go/internal/adapter
  tally "go-vectors-$name" "$replay" --adapter "$BUILD/go/adapter-$name" "${vectors[@]}"
}
with march-native CGO_CXXFLAGS=-march=native
if need_apt clang-14; then with clang CC=clang-14 CXX=clang++-14; else count "clang-14" false; fi
refuses "fast-math" "without -ffast-math" env CGO_CXXFLAGS=-ffast-math go build ./bindings/go/bankml

# Other processors; the tests whose point is load or time stay out, and large rows.  other GOARCH GNU-NAME PACKAGES STARTER...
other() {
  local arch=$1 gnu=$2 packages=$3
  shift 3
  # shellcheck disable=SC2086  # PACKAGES is a list of words
  if ! need_apt $packages; then
    count "cross compiler for $arch" false
    return
  fi
  local compilers=(GOARCH="$arch" CC="$gnu-gcc" CXX="$gnu-g++")
  on_other() { (export "${compilers[@]}" && gotests "go-$arch" -exec "$*" -skip 'Forgotten|Eight|ZeroCopy|OneWorkspace|CloseDuring' ./bindings/go/bankml); }
  tally "go-$arch" on_other "$@"
  count "$arch adapter builds" env "${compilers[@]}" go build -o "$BUILD/go/adapter-$arch" ./bindings/go/internal/adapter
  tally "go-vectors-$arch" "$replay" --max-vocab 5000 --adapter "$* $BUILD/go/adapter-$arch" "${vectors[@]}"
}
other arm64 aarch64-linux-gnu "g++-aarch64-linux-gnu qemu-user-static" qemu-aarch64-static -L /usr/aarch64-linux-gnu
# On the processor itself: qemu-i386 7.2 damages Go's stacks.
i386=/usr/i686-linux-gnu/lib
other 386 i686-linux-gnu g++-i686-linux-gnu $i386/ld-linux.so.2 --library-path $i386
finish
