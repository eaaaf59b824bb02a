# what: recorded cases and rooms on 32-bit x86 with SSE2; plain x87 is refused
# depths: long
. "$(dirname "$0")/common.sh"
need "the i686 compiler is missing" need_apt g++-i686-linux-gnu
refuses "x87 arithmetic" "-msse2 -mfpmath=sse" i686-linux-gnu-g++ -std=c++20 -fsyntax-only -x c++ core/math/fp_env.h
cross i686 "" "-msse2 -mfpmath=sse"
finish
