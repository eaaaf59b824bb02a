# what: threads through the C ABI under ThreadSanitizer
# depths: default long
. "$(dirname "$0")/common.sh"
build=$BUILD/tsan
# The one-file form: what consumers compile, in one process of the compiler.
options="-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DCMAKE_CXX_FLAGS=-O1 -DBANKML_SANITIZE=thread -DBANKML_UNITY=ON"
options="$options -DBANKML_BUILD_SHARED=OFF -DBANKML_BUILD_EXAMPLES=OFF"
if ! configure_and_build build/tsan "$options" capi_stress capi_threads capi_batch_draws capi_batch_grammar; then
  count "ThreadSanitizer build" false
  finish
fi
# GCC 12's runtime finds no place for its tables where the kernel scatters a program widely.
fixed_addresses=()
setarch "$(uname -m)" -R true 2>/dev/null && fixed_addresses=(setarch "$(uname -m)" -R)
export TSAN_OPTIONS=halt_on_error=1:exitcode=66
for program in capi_stress capi_threads capi_batch_draws capi_batch_grammar; do tally "tsan-$program" "${fixed_addresses[@]}" "$build/tests/capi/$program"; done

# The check must be able to fail: two threads that add to one number without a lock.
race='#include <thread>
int main() { long n = 0; std::thread a([&] { for (int i = 0; i < 1000; ++i) ++n; }); for (int i = 0; i < 1000; ++i) ++n; a.join(); return n < 0; }'
with_a_race() { g++ -std=c++17 -O1 -fsanitize=thread -pthread -x c++ - -o "$build/race" <<<"$race" && "${fixed_addresses[@]}" "$build/race"; }
refuses "ThreadSanitizer sees a race" "data race" with_a_race
finish
