# what: the GoogleTest programs of every room and test folder
# depths: quick default long
. "$(dirname "$0")/common.sh"
gtests "$BUILD/release"
finish
