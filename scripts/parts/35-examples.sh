# what: the examples in C and C++, the example model, the tour; from the optimised build
# depths: quick default long
. "$(dirname "$0")/common.sh"
while IFS= read -r name; do
  count "$name" ctest --test-dir build/release -R "^$name\$" --output-on-failure --no-tests=error
done < <(ctest --test-dir build/release -N -R '^examples\.' | sed -n 's/^ *Test *#[0-9]*: //p')
finish
