#!/usr/bin/env bash
# Builds and runs consumers of bankml every way that its README names, against an installed tree that was moved after its installation:
# CMake package (shared, static, C alone), pkg-config (shared, --static), add_subdirectory, the amalgamation, the README's programs.
# Needs build/release (scripts/test builds it). All must print the same tokens. Ends with `N passed, N failed`.
. "$(dirname "$0")/../../scripts/parts/common.sh"

here=$ROOT/tests/consumers
work=$BUILD/consumers
rm -rf "$work"
mkdir -p "$work"

count "install" cmake --install "$BUILD/release" --prefix "$work/first"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name libbankml.a)")
[ -n "$(find "$prefix" -name bankml.pc)" ] || { echo "failed: nothing was installed"; FAILED=$((FAILED + 1)); finish; }

expected=
# prints PROGRAM [ENV...]: it prints what the first consumer printed.
prints() {
  local output
  output=$(env LD_LIBRARY_PATH="$libdir" "$1") || return 1
  case $output in "$(cat "$ROOT/VERSION"): "*) ;; *) printf 'printed: %s\n' "$output"; return 1 ;; esac
  [ -n "$expected" ] || expected=$output
  [ "$output" = "$expected" ] || { printf 'printed: %s\nnot:     %s\n' "$output" "$expected"; return 1; }
}
expected=$(
  gcc "$here/main.c" -o "$work/first_consumer" -I"$prefix/include" -L"$libdir" -lbankml &&
    LD_LIBRARY_PATH="$libdir" "$work/first_consumer"
)
count "plain gcc" prints "$work/first_consumer"

# cmake_consumer NAME LANGUAGE TARGET [OPTION...]
cmake_consumer() {
  local name=$1 language=$2 target=$3
  shift 3
  cmake -S "$here/cmake" -B "$work/$name" -G Ninja -DLANGUAGE="$language" -DLINK="$target" -DCMAKE_PREFIX_PATH="$prefix" "$@" &&
    cmake --build "$work/$name" && prints "$work/$name/consumer"
}
count "CMake, C++, shared" cmake_consumer cmake-shared CXX bankml::bankml
count "CMake, C++, static" cmake_consumer cmake-static CXX bankml::static
count "CMake, C, shared" cmake_consumer cmake-c-shared C bankml::bankml
count "CMake, C, static" cmake_consumer cmake-c-static C bankml::static
count "CMake, version 0.1" cmake_consumer cmake-version CXX bankml::bankml -DWANTED_VERSION="$(cut -d. -f1-2 VERSION)"
refuses "CMake, a later minor version" "considered but not accepted" cmake_consumer cmake-later CXX bankml::bankml -DWANTED_VERSION=0.999
refuses "CMake, version 1" "considered but not accepted" cmake_consumer cmake-one CXX bankml::bankml -DWANTED_VERSION=1.0

export PKG_CONFIG_PATH=$libdir/pkgconfig
pc_version() { [ "$(pkg-config --modversion bankml)" = "$(cat VERSION)" ]; }
count "pkg-config, version" pc_version
pc_shared() {
  # shellcheck disable=SC2046
  gcc "$here/main.c" -o "$work/pc_shared" $(pkg-config --cflags --libs bankml) && readelf -d "$work/pc_shared" | grep -q 'NEEDED.*libbankml' &&
    prints "$work/pc_shared"
}
pc_static() {
  # shellcheck disable=SC2046
  gcc "$here/main.c" -o "$work/pc_static" $(pkg-config --static --cflags bankml) -Wl,-Bstatic $(pkg-config --libs bankml) -Wl,-Bdynamic \
    $(pkg-config --static --libs bankml | sed 's/.*-lbankml//') && ! readelf -d "$work/pc_static" | grep -q 'NEEDED.*libbankml' &&
    prints "$work/pc_static"
}
# A whole program as one static file, which is what --static is for.
pc_all_static() {
  # shellcheck disable=SC2046
  gcc -static "$here/main.c" -o "$work/pc_all_static" $(pkg-config --static --cflags --libs bankml) && prints "$work/pc_all_static"
}
pc_cpp() {
  # shellcheck disable=SC2046
  g++ -std=c++17 "$here/main.cpp" -o "$work/pc_cpp" $(pkg-config --cflags --libs bankml) && prints "$work/pc_cpp"
}
count "pkg-config, shared" pc_shared
count "pkg-config, archive" pc_static
count "pkg-config --static" pc_all_static
count "pkg-config, C++" pc_cpp

subdirectory() {
  cmake -S "$here/subdirectory" -B "$work/subdirectory" -G Ninja -DBANKML_SOURCE="$ROOT" -DBANKML_UNITY=ON && cmake --build "$work/subdirectory" -j "$JOBS" &&
    prints "$work/subdirectory/consumer" && prints "$work/subdirectory/consumer_static"
}
count "add_subdirectory" subdirectory

amalgamation() {
  cmake --build "$BUILD/release" --target amalgamation && mkdir -p "$work/two-files" &&
    cp "$BUILD"/release/amalgamation/bankml.{h,cpp} "$work/two-files/" && cd "$work/two-files" &&
    g++ -std=c++20 -O2 -c bankml.cpp && gcc -I. "$here/main.c" bankml.o -lstdc++ -lm -o consumer && prints ./consumer
}
count "amalgamation" amalgamation

# Only configured: what pkg-config says for an archive alone, and for absolute folders.
odd_layouts() {
  cmake -S "$ROOT" -B "$work/odd" -G Ninja -DBANKML_BUILD_TESTS=OFF -DBANKML_BUILD_EXAMPLES=OFF -DBANKML_BUILD_SHARED=OFF \
    -DCMAKE_INSTALL_LIBDIR=/opt/bankml/lib && grep -qx 'libdir=/opt/bankml/lib' "$work/odd/capi/bankml.pc" &&
    grep -q '^Libs: .*-lstdc++' "$work/odd/capi/bankml.pc"
}
count "archive alone, absolute folders" odd_layouts

readme() {
  python3 "$here/snippets.py" README.md "$work/readme" && cd "$work/readme" || return 1
  # shellcheck disable=SC2046
  gcc -std=c11 -Wall -Wextra -Werror readme.c -o readme_c $(pkg-config --cflags --libs bankml) &&
    g++ -std=c++17 -Wall -Wextra -Werror readme.cpp -o readme_cpp $(pkg-config --cflags --libs bankml) &&
    LD_LIBRARY_PATH=$libdir ./readme_c && LD_LIBRARY_PATH=$libdir ./readme_cpp
}
count "README programs" readme

finish
