# what: the optimised build: library, command, examples, tests
# depths: quick default long
. "$(dirname "$0")/common.sh"
need "the build tools are missing" need_toolchain
count build configure_and_build build/release "-DCMAKE_BUILD_TYPE=Release"
finish
