# what: C programs over the public header, exported symbols, ABI baseline
# depths: quick default long
. "$(dirname "$0")/common.sh"
[ "$DEPTH" = quick ] || need "abidiff is missing" need_apt abigail-tools
build=$BUILD/release
capi_programs "$build"

library=$build/capi/libbankml.so
exported() { nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); if ($3 != "BANKML_0") print $3 }' | LC_ALL=C sort; }
same_symbols() { diff <(LC_ALL=C sort capi/bankml.symbols) <(exported); }
count "exported symbols" same_symbols
count "SONAME" bash -c "readelf -d '$library' | grep -qF \"Library soname: [libbankml.so.0.$(cut -d. -f2 VERSION)]\""
only_runtime() { ! readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libstdc\+\+|libm|libgcc_s|libc|ld-linux[^.]*)\.so'; }
count "needs only the C++ runtime" only_runtime

[ "$DEPTH" = quick ] || count "ABI baseline" scripts/abi-baseline --check
finish
