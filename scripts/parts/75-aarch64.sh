# what: recorded cases on aarch64 under qemu; in the long run all of them, and the rooms
# depths: default long
. "$(dirname "$0")/common.sh"
need "the aarch64 compiler or qemu is missing" need_apt g++-aarch64-linux-gnu qemu-user-static
cross aarch64 "qemu-aarch64-static" ""
finish
