# what: random cases against llama.cpp's own library in one process, candidates bit for bit
# depths: quick default long
. "$(dirname "$0")/common.sh"
need "llama.cpp's library cannot be had here" peer_llama
case $DEPTH in
  quick) cases=500 ;;
  default) cases=20000 ;;
  long) cases=200000 ;;
esac
tally differential scripts/differential --cases $cases
finish
