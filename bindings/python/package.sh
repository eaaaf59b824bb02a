# Builds the Python package and installs it, each once for a state of its sources. Source it after scripts/lib.sh:
#
#   python_dist         sdist and wheel in build/python/dist
#   python_from_wheel   an environment with the wheel and what the tests need; prints the path of its python
#   python_from_sdist   the same, compiled from the sdist
#
# The wheel is built from the sdist in a temporary folder outside of git, as `python -m build` does it, so that a file missing from
# the sdist shows here. What was built is kept with a hash of all that went in; a second call finds it and does nothing.

PYTHON_BUILD=$BUILD/python
PYTHON_TEST_PACKAGES=(pytest mypy)

# python_hash PATH...: of the files below, and of the python in use.
python_hash() {
  (cd "$ROOT" && find "$@" -type f ! -name '*.pyc' ! -name '*.so' -print0 | sort -z | xargs -0 sha256sum
  python3 -c 'import sys; print(sys.version)') | sha256sum | cut -d' ' -f1
}
# What is compiled or installed, and what only travels with the sdist: a change there needs no compiler.
python_inputs() {
  python_hash VERSION LICENSE setup.py pyproject.toml MANIFEST.in docs/python.md core capi bindings/swig bindings/python
}
python_travelling() { python_hash CHANGELOG.md tests/python examples/python; }

python_headers() {
  local header
  need_command python3 python3 || return 1
  need_command g++ g++ || return 1
  header=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"] + "/Python.h")')
  [ -f "$header" ] || need_apt python3-dev
}

python_dist() {
  local inputs travelling python old=
  mkdir -p "$PYTHON_BUILD"
  (
    flock 9
    inputs=$(python_inputs) travelling=$(python_travelling)
    [ ! -f "$PYTHON_BUILD/dist.inputs" ] || old=$(tr '\n' ' ' <"$PYTHON_BUILD/dist.inputs")
    [ "$old" != "$inputs $travelling " ] || exit 0
    python_headers || exit 1
    python=$(python_venv build twine) || exit 1
    if [ "${old%% *}" = "$inputs" ]; then
      rm -f "$PYTHON_BUILD"/dist/*.tar.gz
      run_logged python-build "$python" -m build --sdist --outdir "$PYTHON_BUILD/dist" "$ROOT" || exit 1
    else
      note "building the Python package (about a minute)"
      rm -rf "$PYTHON_BUILD/dist.new"
      run_logged python-build nice "$python" -m build --outdir "$PYTHON_BUILD/dist.new" "$ROOT" || exit 1
      rm -rf "$PYTHON_BUILD/dist"
      mv "$PYTHON_BUILD/dist.new" "$PYTHON_BUILD/dist"
    fi
    printf '%s\n' "$inputs" "$travelling" >"$PYTHON_BUILD/dist.inputs"
  ) 9>"$PYTHON_BUILD/.dist.lock"
}

# python_environment NAME FILE
python_environment() {
  local venv=$PYTHON_BUILD/$1 file=$2 inputs
  (
    flock 9
    inputs=$(head -n 1 "$PYTHON_BUILD/dist.inputs")
    [ "$(cat "$venv/bankml-inputs" 2>/dev/null)" != "$inputs" ] || exit 0
    rm -rf "$venv"
    need_apt_python_venv "$venv" || exit 1
    note "installing $(basename "$file") into a fresh environment"
    run_logged "python-$1" nice "$venv/bin/python" -m pip install -q --disable-pip-version-check "$file" "${PYTHON_TEST_PACKAGES[@]}" ||
      exit 1
    printf '%s\n' "$inputs" >"$venv/bankml-inputs"
  ) 9>"$PYTHON_BUILD/.$1.lock" || return 1
  printf '%s\n' "$venv/bin/python"
}

need_apt_python_venv() {
  python3 -m venv "$1" >>"$LOGS/venv.log" 2>&1 || { need_apt python3-venv && python3 -m venv "$1" >>"$LOGS/venv.log" 2>&1; }
}

python_from_wheel() { python_dist && python_environment from-wheel "$(ls "$PYTHON_BUILD"/dist/*.whl)"; }
python_from_sdist() { python_dist && python_environment from-sdist "$(ls "$PYTHON_BUILD"/dist/*.tar.gz)"; }
