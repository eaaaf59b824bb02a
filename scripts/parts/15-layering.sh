# what: house rules: includes, READMEs, versions, names of tests, lengths
# depths: quick default long
. "$(dirname "$0")/common.sh"
tally layering python3 tests/layering/check.py
count "tables are what their generator writes" python3 core/math/tables/generate.py --check
[ "$DEPTH" = quick ] || tally layering-self-test python3 tests/layering/check.py --self-test
finish
