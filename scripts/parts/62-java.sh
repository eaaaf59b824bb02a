# what: the Java package: Maven build with its tests, recorded cases, examples, consumer, what the files contain
# depths: default long
. "$(dirname "$0")/common.sh"
. "$ROOT/bindings/java/tools.sh"

replay=$BUILD/release/tests/replay/bankml_replay
c_examples=$BUILD/release/examples/c
need "Java, Maven or SWIG is missing" need_java
[ -x "$replay" ] && [ -x "$c_examples/generate" ] ||
  need "the C++ side does not build" configure_and_build build/release "-DCMAKE_BUILD_TYPE=Release"
version=$(cat VERSION)
jar=$BUILD/java/bankml-$version.jar

# Builds and tests everything, then installs it in a repository that does not know bankml: what the consumer gets is what was built.
maven_counts() {
  local status total failed skipped
  rm -rf "$BUILD/maven/io/github/bankml" "$BUILD/java/surefire-reports" "$BUILD/java/failsafe-reports"
  maven -f bindings/java install
  status=$?
  # sum ATTRIBUTE: over the reports' testsuite elements
  sum() {
    cat "$BUILD"/java/{surefire,failsafe}-reports/TEST-*.xml | sed -n "s/^<testsuite .* $1=\"\([0-9]*\)\".*/\1/p" |
      awk '{ n += $1 } END { print n + 0 }'
  }
  total=$(sum tests)
  skipped=$(sum skipped)
  failed=$(($(sum errors) + $(sum failures)))
  if [ "${CI:-}" = true ]; then failed=$((failed + skipped)); else total=$((total - skipped)); fi
  [ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  printf '%s passed, %s failed\n' "$((total > failed ? total - failed : 0))" "$failed"
  return $status
}
tally java-maven maven_counts
[ -f "$jar" ] || finish

# ---- The recorded cases, through every way in; the second time, a part of them, under the VM's own checks of native code.
adapter="java -cp $BUILD/java/test-classes:$jar"
mapfile -t vectors < <(find tests/vectors -name '*.jsonl' | sort)
tally java-vectors "$replay" --adapter "$adapter io.bankml.adapter.Adapter" --threads "$JOBS" "${vectors[@]}"
tally java-vectors-checked "$replay" --adapter "$adapter -Xcheck:jni io.bankml.adapter.Adapter" --max-vocab 5000 \
  tests/vectors/{vocab,probs,infill}.jsonl

# ---- Examples and the program of the documentation
examples=$BUILD/java/examples
rm -rf "$examples"
mkdir -p "$examples"
count "examples compile" javac --release 17 -Xlint:all -Werror -d "$examples" -cp "$jar" examples/java/*.java
# same_as_c CLASS PROGRAM
same_as_c() { [ "$(java -cp "$examples:$jar" "$1")" = "$("$c_examples/$2")" ] && [ -n "$("$c_examples/$2")" ]; }
pairs=(Greedy:greedy Generate:generate PenaltiesDry:penalties_dry MaskedRedraw:masked_redraw Constrained:constrained Logprobs:logprobs)
for pair in "${pairs[@]}" ManySequences:many_sequences; do
  count "example ${pair%:*} prints what C prints" same_as_c "${pair%:*}" "${pair#*:}"
done
documented() {
  sed -n '/^```java$/,/^```$/p' docs/java.md | sed '/^```/d' >"$examples/TenLines.java"
  [ "$(java -cp "$jar" "$examples/TenLines.java" | wc -l)" -eq 3 ]
}
count "docs/java.md, ten lines" documented
count "docs/java.md names this version" grep -qF "<version>$version</version>" docs/java.md

tally java-consumer tests/consumers/java/run.sh
examples_by_maven() { maven -q -f examples/java compile exec:java -Dexec.mainClass=Greedy | grep -qx 'status: ok, token: 3'; }
count "examples as a Maven project" examples_by_maven

# ---- The native library: self-contained, and nothing but what the VM looks up
library=$BUILD/java/natives/io/bankml/native/linux-$(uname -m)/libbankml_jni.so
only_java_symbols() {
  local names
  names=$(nm -D --defined-only "$library" | awk '{ print $NF }')
  printf '%s\n' "$names" | grep -q '^Java_io_bankml_internal_' && ! printf '%s\n' "$names" | grep -vE '^(Java_|JNI_On)'
}
count "symbols" only_java_symbols
needs_libc_alone() { ! readelf -d "$library" | grep NEEDED | grep -vE '\[(libc|libm|ld-linux[^]]*)\.so\.[0-9]+\]'; }
count "needs libc and libm alone" needs_libc_alone
versions_agree() {
  grep -qF "<version>$version</version>" examples/java/pom.xml || return 1
  local file
  for file in tests/consumers/java/pom.xml bench/bindings/java/jmh/pom.xml; do
    grep -qF "<bankml.version>$version</bankml.version>" "$file" || return 1
  done
}
count "versions of examples and consumer" versions_agree
measured() { bash bench/bindings/java/run.sh | grep -cE '^java (direct|array) (151936|8) [0-9.]+$' | grep -qx 4; }
count "bench program" measured

if [ "$DEPTH" = long ]; then
  # Jars around libraries that were built elsewhere, here by a cross compiler.
  prebuilt=$BUILD/java-prebuilt/natives
  assembled() {
    need_apt g++-aarch64-linux-gnu && rm -rf "$BUILD/java-prebuilt" && mkdir -p "$prebuilt" &&
      cp -a "$BUILD/java/natives/." "$prebuilt/" &&
      cmake -S bindings/java -B "$BUILD/java-aarch64" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DBANKML_SWIG="$SWIG" -DBANKML_JAVA_HOME="$JAVA_HOME" \
        -DBANKML_JAVA_NATIVES="$prebuilt" &&
      cmake --build "$BUILD/java-aarch64" --target bankml_jni &&
      maven -q -f bindings/java package -DskipTests -Dbankml.build="$BUILD/java-prebuilt/build" -Dbankml.prebuilt="$prebuilt"
  }
  count "jars for two processors" assembled
  holds() {
    "$JAVA_HOME/bin/jar" tf "$BUILD/java-prebuilt/build/bankml-$version$1.jar" | grep -q "io/bankml/native/$2/libbankml_jni.so"
  }
  count "x86-64 in the main jar" holds "" linux-x86_64
  count "aarch64 in the main jar" holds "" linux-aarch64
  count "x86-64 alone" holds -natives-linux-x86_64 linux-x86_64
  count "aarch64 alone" holds -natives-linux-aarch64 linux-aarch64
  # No allocation as JMH's profiler sees it; and the newest long-term JDK, which has its own word on native access.
  tally java-jmh bench/bindings/java/jmh/run.sh
  newer=${BANKML_NEWER_JDK:-/usr/lib/jvm/temurin-25-jdk-amd64}
  if [ -x "$newer/bin/java" ]; then
    on_newer() { "$newer/bin/java" "$@" -cp "$BUILD/java/test-classes:$jar" io.bankml.probe.Probe draw; }
    silent() { [ -z "$(on_newer --enable-native-access=ALL-UNNAMED 2>&1 >/dev/null)" ]; }
    count "JDK 25, silent with the flag" silent
    warned() { on_newer 2>&1 | grep -q 'enable-native-access'; }
    count "JDK 25, warned without it" warned
    refuses "JDK 25, denied" "start Java with --enable-native-access" on_newer --illegal-native-access=deny
    tally java-vectors-newer "$replay" \
      --adapter "$newer/bin/$adapter --enable-native-access=ALL-UNNAMED io.bankml.adapter.Adapter" "${vectors[@]}"
  elif [ "${CI:-}" = true ]; then
    count "a newer JDK in $newer (BANKML_NEWER_JDK names another)" false
  else
    printf 'left out: no JDK in %s (BANKML_NEWER_JDK names another)\n' "$newer"
  fi
fi
finish
