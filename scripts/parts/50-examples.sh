# what: the command, the examples and the example model, as ctest runs them
# depths: quick default long
. "$(dirname "$0")/common.sh"
ctests "$BUILD/release" 'test_|^capi_|side_by_side'
finish
