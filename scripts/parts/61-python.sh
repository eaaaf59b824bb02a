# what: the Python package: wheel and sdist in fresh environments, tests, types, recorded cases, consumer, what the files contain
# depths: default long
. "$(dirname "$0")/common.sh"
. "$ROOT/bindings/python/package.sh"

replay=$BUILD/release/tests/replay/bankml_replay
c_examples=$BUILD/release/examples/c
[ -x "$replay" ] && [ -x "$c_examples/generate" ] ||
  need "the C++ side does not build" configure_and_build build/release "-DCMAKE_BUILD_TYPE=Release"
need "the Python package does not build" python_dist
dist=$PYTHON_BUILD/dist
wheel=$(ls "$dist"/*.whl)
sdist=$(ls "$dist"/*.tar.gz)

# The sdist compiles while the wheel is tested.
python_from_sdist >"$LOGS/python-from-sdist.path" 2>"$LOGS/python-from-sdist.err" &
compiling=$!
need "the wheel cannot be installed" python_from_wheel >/dev/null
python=$(python_from_wheel)
tools=$(python_venv build twine auditwheel abi3audit) || skip "the packaging tools are missing"

# pytests NAME PYTHON ARGUMENT...: each test counts. A skipped one is named in the log; where CI=true it is a failure.
pytests() {
  local name=$1 python=$2 log summary failed
  shift 2
  log=$LOGS/$name.log
  "$python" -m pytest -q "$@" >"$log.pytest" 2>&1
  local status=$?
  summary=$(tail -n 1 "$log.pytest")
  number_of() { printf '%s\n' "$summary" | sed -n "s/.*\b\([0-9][0-9]*\) $1.*/\1/p"; }
  failed=$(($(number_of failed || true) + $(number_of error || true) + 0))
  [ "${CI:-}" != true ] || failed=$((failed + $(number_of skipped) + 0))
  [ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  cat "$log.pytest"
  printf '%s passed, %s failed\n' "$(($(number_of passed) + 0))" "$failed"
  [ "$failed" -eq 0 ]
}
tally python-tests pytests python-tests "$python" tests/python

# ---- Types
typed_package() { (cd "$PYTHON_BUILD" && "$python" -m mypy --strict -p bankml); }
typed_programs() {
  MYPYPATH=tests/python:examples/python "$python" -m mypy --strict --cache-dir "$PYTHON_BUILD/mypy" \
    tests/python/*.py tests/peers/*.py examples/python/*.py bench/bindings/python/*.py
}
stubs() { (cd "$PYTHON_BUILD" && "$python" -m mypy.stubtest bankml); }
count "mypy --strict, package" typed_package
count "mypy --strict, programs" typed_programs
count "stubtest" stubs
tally python-consumer-mypy "$python" tests/consumers/python_types.py mypy

# ---- The recorded cases, and the C programs that the examples are held against
mapfile -t vectors < <(find tests/vectors -name '*.jsonl' | sort)
tally python-vectors "$replay" --adapter "$python tests/python/adapter.py" "${vectors[@]}"
same_as_c() { "$c_examples/$1" 2>/dev/null | cmp - "tests/python/expected/$1.txt"; }
for file in tests/python/expected/*.txt; do count "C prints what $(basename "$file") says" same_as_c "$(basename "$file" .txt)"; done

# ---- What the files are
library=$PYTHON_BUILD/unpacked/bankml/_native.abi3.so
unpacked() { rm -rf "$PYTHON_BUILD/unpacked" && "$python" -m zipfile -e "$wheel" "$PYTHON_BUILD/unpacked" && [ -f "$library" ]; }
exports_one_name() { [ "$(nm -D --defined-only "$library" | awk '{print $3}')" = PyInit__native ]; }
needs_the_c_library_alone() {
  ! readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libpthread|libdl|ld-linux[^ ]*)\.so\.[0-9]+$'
}
wheel_is_listed() {
  local names
  names=$("$python" -m zipfile -l "$wheel") || return 1
  for name in __init__.py __main__.py _native.abi3.so _native.pyi py.typed LICENSE; do grep -q "$name" <<<"$names" || { echo "no $name"; return 1; }; done
  ! grep -E 'native\.py |\.cpp|tests/|\.i ' <<<"$names"
}
tags_are_abi3() { case $wheel in *-"$(cat VERSION)"-cp311-abi3-linux_*.whl) ;; *) echo "$wheel"; return 1 ;; esac; }
manylinux() { "$tools" -m auditwheel show "$wheel" >"$LOGS/auditwheel.log" && tr '\n' ' ' <"$LOGS/auditwheel.log" | grep -q 'manylinux_2_'; }
need_command nm binutils
count "wheel unpacks" unpacked
count "exports PyInit__native alone" exports_one_name
count "needs the C library alone" needs_the_c_library_alone
count "wheel lists" wheel_is_listed
count "wheel tag" tags_are_abi3
count "twine check" "$tools" -m twine check --strict "$wheel" "$sdist"
count "abi3audit" "$tools" -m abi3audit --strict "$wheel"
count "auditwheel show" manylinux

# ---- The sdist, compiled in a fresh environment and tested from its own files
if wait $compiling; then
  from_sdist=$(cat "$LOGS/python-from-sdist.path")
  outside=$(mktemp -d)
  tar xzf "$sdist" -C "$outside" --strip-components=1
  tally python-sdist-tests pytests python-sdist-tests "$from_sdist" --rootdir "$outside" -c "$outside/pyproject.toml" "$outside/tests/python" \
    --ignore "$outside/tests/python/test_lifetime.py" --ignore "$outside/tests/python/test_threads.py"
  rm -rf "$outside"
else
  cat "$LOGS/python-from-sdist.err"
  count "sdist compiles in a fresh environment" false
fi

# ---- A project that depends on it, as a user installs
consumer() {
  local work=$PYTHON_BUILD/consumer
  rm -rf "$work" && mkdir -p "$work" && cp -r tests/consumers/python "$work/project" && need_apt_python_venv "$work/venv" &&
    "$work/venv/bin/python" -m pip install -q --disable-pip-version-check "$wheel" "$work/project" || return 1
  gcc -Icapi/include tests/consumers/main.c "$BUILD/release/capi/libbankml.a" -lstdc++ -lm -o "$work/main" || return 1
  "$work/venv/bin/bankml-consumer" >"$work/printed" && "$work/main" | cmp - "$work/printed"
}
count "consumer" consumer

# ---- Masks in the hands of xgrammar and llguidance, and theirs here. Without what xgrammar needs PyTorch for: see tests/peers/masks.py.
peer_packages=(apache-tvm-ffi==0.1.15.post2 typing_extensions pydantic)
if peers=$(python_environment peers "$wheel") &&
  { "$peers" -c 'import pydantic, tvm_ffi' 2>/dev/null || run_logged python-peers "$peers" -m pip install -q --disable-pip-version-check \
    "${peer_packages[@]}"; } &&
  run_logged python-peers-masks "$peers" -m pip install -q --disable-pip-version-check --no-deps xgrammar==0.2.9 llguidance==1.9.1; then
  tally python-peer-masks "$peers" tests/peers/masks.py
else
  printf 'skipped: xgrammar and llguidance cannot be installed: python-peer-masks\n'
  [ "${CI:-}" != true ] || count "xgrammar and llguidance" false
fi

if [ "$DEPTH" = long ]; then
  # Every other Python that the stable ABI promises: the wheel as it is, the tests, import under -W error.
  for version in 3.12 3.13; do
    other=$(ls -d "$HOME"/.pyenv/versions/"$version".*/bin/python3 2>/dev/null | tail -n 1)
    [ -n "$other" ] || other=$(command -v "python$version")
    if [ -z "$other" ] && uv=$(python_venv uv); then
      "$uv" -m uv python install -q "$version" 2>>"$LOGS/uv.log" && other=$("$uv" -m uv python find "$version")
    fi
    if [ -z "$other" ]; then
      printf 'skipped: Python %s is not here, and uv cannot fetch it\n' "$version"
      [ "${CI:-}" != true ] || count "Python $version" false
      continue
    fi
    venv=$PYTHON_BUILD/python-$version
    rm -rf "$venv"
    count "Python $version installs the wheel" eval "'$other' -m venv '$venv' && '$venv/bin/python' -m pip install -q '$wheel' pytest"
    count "Python $version imports it where warnings are errors" "$venv/bin/python" -W error -c "import bankml; bankml.self_check()"
    tally "python-$version-tests" pytests "python-$version-tests" "$venv/bin/python" tests/python
  done
  pyright=$(python_environment pyright "$wheel") && "$pyright" -m pip install -q --disable-pip-version-check pyright
  tally python-consumer-pyright "$pyright" tests/consumers/python_types.py pyright
  # The whole package's tests once more in Python's own debugging mode.
  debugging() { PYTHONDEVMODE=1 PYTHONMALLOC=debug pytests python-devmode "$python" tests/python --ignore tests/python/test_lifetime.py; }
  tally python-devmode debugging
fi
finish
