# what: projects that use bankml: CMake, pkg-config, add_subdirectory, amalgamation
# depths: default long
. "$(dirname "$0")/common.sh"
need "pkg-config is missing" need_command pkg-config pkg-config
tally consumers tests/consumers/run.sh
finish
