# what: the command, the examples and the example model, as ctest runs them
# depths: quick default long
. "$(dirname "$0")/common.sh"
# The other parts run the rooms, the C programs and the comparison themselves.
ctests "$BUILD/release" -LE '^(room|capi)$' -E '^side_by_side'
finish
