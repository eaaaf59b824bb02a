# what: rooms, C programs and live cases under AddressSanitizer and UBSan
# depths: default long
. "$(dirname "$0")/common.sh"
build=$BUILD/asan
options="-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DCMAKE_CXX_FLAGS=-O1 -DBANKML_SANITIZE=address,undefined -DBANKML_BUILD_EXAMPLES=OFF"
targets=$(grep -oE '^(test|capi)_[a-z0-9_]+' < <(cmake --build build/release --target help) | sort -u | grep -v capi_allocation)
# shellcheck disable=SC2086
if ! configure_and_build build/asan "$options" $targets bankml_differential; then
  count "sanitizer build" false
  finish
fi
unset BANKML_TEST_LONG         # no exhaustive sweep here,
export GTEST_FILTER=$NO_SWEEPS # and none of every 16th float
export BANKML_TEST_SHORT=1     # a tenth of the random chains
# What llama.cpp's own library keeps until the process ends is not ours.
export LSAN_OPTIONS=suppressions=$ROOT/tests/reference/lsan.supp:print_suppressions=0
if llama=$(peer_llama); then export BANKML_LLAMA_DIR=$llama; fi
gtests "$build"
capi_programs "$build"
if [ -n "${BANKML_LLAMA_DIR:-}" ]; then
  tally sanitize-differential "$build/tests/differential/bankml_differential" --cases 1000 --seed 7
else
  [ "${CI:-}" != true ] || count "live cases: llama.cpp's library" false
fi
finish
