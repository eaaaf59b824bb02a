# what: recorded cases and rooms on s390x (big-endian) under qemu
# depths: long
. "$(dirname "$0")/common.sh"
need "the s390x compiler or qemu is missing" need_apt g++-s390x-linux-gnu qemu-user-static
cross s390x "qemu-s390x-static" ""
finish
