# What every part of scripts/test sources: counting, and running the project's own test programs.
#
#   count NAME CMD...      runs CMD; one test, passed if it exits 0
#   tally NAME CMD...      runs CMD, whose own last line `N passed, N failed` is added
#   gtests DIR             every GoogleTest program (test_*) under DIR, its tests added
#   need CMD-OR-FUNCTION.. a precondition: the part is skipped, with its reason, if the command fails
#   finish                 prints the counts and ends the part

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$ROOT" || exit 1
DEPTH=${BANKML_DEPTH:-default}
# The tests that go through many millions of floats, for runs that are slow by nature (sanitizers, emulators).
NO_SWEEPS='-OneArgument.*equal*:OneArgument.recorded*:*.equals_libm:*.software_fma_gives_the_same_bits'
PASSED=0
FAILED=0

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

# need REASON CMD...
need() {
  local reason=$1
  shift
  "$@" || skip "$reason"
}

count() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1))
    printf 'failed: %s\n%s\n' "$name" "$(printf '%s\n' "$output" | tail -n 20)"
  fi
}

# A command that must fail, and say TEXT while it does:  refuses NAME TEXT CMD...
refuses() {
  local name=$1 text=$2 output
  shift 2
  if output=$("$@" 2>&1); then
    FAILED=$((FAILED + 1))
    printf 'failed: %s: was not refused\n' "$name"
  elif printf '%s' "$output" | grep -qF -- "$text"; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1))
    printf 'failed: %s: refused without saying "%s"\n' "$name" "$text"
  fi
}

tally() {
  local name=$1 log status counts
  shift
  log=$LOGS/$(printf '%s' "$name" | tr -c 'A-Za-z0-9._\n-' _).log
  "$@" >"$log" 2>&1
  status=$?
  counts=$(counts_of "$log")
  if [ -z "$counts" ] || { [ $status -ne 0 ] && [ "${counts#* }" -eq 0 ]; }; then
    FAILED=$((FAILED + 1))
    printf 'failed: %s (exit %d)\n' "$name" "$status"
    tail -n 20 "$log"
  fi
  if [ -n "$counts" ]; then
    PASSED=$((PASSED + ${counts% *}))
    FAILED=$((FAILED + ${counts#* }))
    printf '%s: %s passed, %s failed\n' "$name" "${counts% *}" "${counts#* }"
    [ "${counts#* }" -eq 0 ] || tail -n 20 "$log"
  fi
}

# One GoogleTest program, its result put into the house's last line. Tests that skip themselves are named in the log and in neither
# count; where CI=true they are failures.
gtest_counts() {
  local output status passed failed skipped
  output=$("$@" --gtest_brief=1 2>&1)
  status=$?
  passed=$(printf '%s\n' "$output" | sed -n 's/^\[  PASSED  \] \([0-9]*\) tests\{0,1\}\.$/\1/p')
  failed=$(printf '%s\n' "$output" | sed -n 's/^\[  FAILED  \] \([0-9]*\) tests\{0,1\}, listed below:$/\1/p')
  printf '%s\n' "$output" | grep -vE '^(\[==========\]|\[  PASSED  \]|Running main)'
  [ $status -eq 0 ] || failed=${failed:-1}
  skipped=$(printf '%s\n' "$output" | sed -n 's/^\[  SKIPPED \] \([0-9]*\) tests\{0,1\}[.,].*$/\1/p')
  [ "${CI:-}" != true ] || failed=$((${failed:-0} + ${skipped:-0}))
  printf '%s passed, %s failed\n' "${passed:-0}" "${failed:-0}"
  return $status
}

# gtests DIR [WRAPPER...]: at most JOBS programs at a time.
gtests() {
  local dir=$1 program name running=0 names=()
  shift
  while IFS= read -r program; do
    name=$(basename "$program")
    names+=("$name")
    gtest_counts "$@" "$program" >"$LOGS/$(basename "$dir")-$name.log" 2>&1 &
    running=$((running + 1))
    if [ $running -ge "$JOBS" ]; then
      wait -n
      running=$((running - 1))
    fi
  done < <(find "$dir/tests" -type f -name 'test_*' -perm -u+x | sort)
  wait
  [ ${#names[@]} -gt 0 ] || { FAILED=$((FAILED + 1)); printf 'failed: no test programs in %s\n' "$dir"; }
  for name in "${names[@]}"; do tally "$(basename "$dir")-$name-counts" cat "$LOGS/$(basename "$dir")-$name.log"; done
}

# The programs of tests/capi (capi_*), which print their own counts.
capi_programs() {
  local dir=$1 program found=0
  while IFS= read -r program; do
    found=1
    tally "$(basename "$dir")-$(basename "$program")" "$program"
  done < <(find "$dir/tests/capi" -maxdepth 1 -type f -name 'capi_*' -perm -u+x | sort)
  [ $found = 1 ] || { FAILED=$((FAILED + 1)); printf 'failed: no C programs in %s\n' "$dir"; }
}

# ctests DIR OPTION...: the build's ctest tests that the options select, one test each. A skipped one is a failure where CI=true.
ctests() {
  local dir=$1 log total failed skipped
  log=$LOGS/$(basename "$1")-ctest.log
  shift
  ctest --test-dir "$dir" "$@" -j "$JOBS" --output-on-failure >"$log" 2>&1
  total=$(sed -n 's/^[0-9]*% tests passed, [0-9]* tests failed out of \([0-9]*\)$/\1/p' "$log")
  failed=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$log")
  skipped=0
  [ "${CI:-}" != true ] || skipped=$(grep -c '\*\*\*Skipped' "$log")
  failed=$((${failed:-0} + skipped))
  if [ -z "$total" ]; then
    FAILED=$((FAILED + 1))
    printf 'failed: ctest found nothing to run\n'
  else
    PASSED=$((PASSED + total - failed))
    FAILED=$((FAILED + failed))
  fi
  [ "${failed:-1}" -eq 0 ] || tail -n 30 "$log"
}

# cross CPU EMULATOR FLAGS: the recorded cases through the C ABI on another CPU, statically linked; rooms too in the long run.
cross() {
  local cpu=$1 emulator=$2 flags=$3 dir=build/$1 targets=(bankml_replay) limit=(--max-vocab 5000) room options
  options="-DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=$cpu -DCMAKE_C_COMPILER=$cpu-linux-gnu-gcc"
  options="$options -DCMAKE_CXX_COMPILER=$cpu-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static -DBANKML_BUILD_SHARED=OFF"
  options="$options -DBANKML_BUILD_EXAMPLES=OFF -DBANKML_UNITY=ON"
  # Flags with a space between them go through a file, since OPTIONS is a list of words.
  [ -z "$flags" ] || printf 'set(CMAKE_CXX_FLAGS "%s" CACHE STRING "")\nset(CMAKE_C_FLAGS "%s" CACHE STRING "")\n' "$flags" "$flags" \
    >"$BUILD/$cpu.cmake"
  [ -z "$flags" ] || options="$options -C $BUILD/$cpu.cmake"
  if [ "$DEPTH" = long ]; then
    limit=()
    for room in math order random simd candidates steps probs chain; do targets+=("test_$room"); done
  fi
  if ! configure_and_build "$dir" "$options" "${targets[@]}"; then
    count "$cpu build" false
    return
  fi
  mapfile -t files < <(find tests/vectors -name '*.jsonl' | sort)
  # shellcheck disable=SC2086  # no emulator = no word
  tally "$cpu-vectors" $emulator "$dir/tests/replay/bankml_replay" "${limit[@]}" "${files[@]}"
  if [ "$DEPTH" = long ]; then
    unset BANKML_TEST_LONG # the sweeps ran on the machine itself; an emulator would take days
    export BANKML_TEST_SHORT=1
    # shellcheck disable=SC2086
    GTEST_FILTER=$NO_SWEEPS gtests "$dir" $emulator
  fi
}

finish() {
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
  [ "$FAILED" -eq 0 ]
  exit
}
