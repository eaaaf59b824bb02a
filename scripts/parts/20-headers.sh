# what: the public headers compile alone; x87 and fast-math are refused
# depths: quick default long
. "$(dirname "$0")/common.sh"
[ "$DEPTH" = quick ] || need "clang is missing" need_apt clang-14
include=$ROOT/capi/include
strict="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I$include"

# header COMPILER LANGUAGE STANDARD FILE
header() { count "$4 with $1 -std=$3" bash -c "echo '#include \"$4\"' | $1 -x $2 -std=$3 $strict -"; }

header gcc c c11 bankml.h
header gcc c c17 bankml.h
for standard in c++17 c++20; do
  header g++ c++ $standard bankml.h
  header g++ c++ $standard bankml.hpp
done
if [ "$DEPTH" != quick ]; then
  header clang-14 c c11 bankml.h
  header clang++-14 c++ c++17 bankml.h
  header clang++-14 c++ c++17 bankml.hpp
  header clang++-14 c++ c++20 bankml.hpp
fi

env=$ROOT/core/math/fp_env.h
count "fp_env.h in a plain build" g++ -std=c++20 -fsyntax-only -x c++ "$env"
refuses "fast-math" "without -ffast-math" g++ -std=c++20 -ffast-math -fsyntax-only -x c++ "$env"
case $(uname -m) in
  x86_64 | i?86) refuses "x87 arithmetic" "-msse2 -mfpmath=sse" g++ -std=c++20 -mfpmath=387 -fsyntax-only -x c++ "$env" ;;
esac
finish
