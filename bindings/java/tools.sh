# What scripts need to build and run the Java package; source it after scripts/lib.sh.
#
#   need_java      installs a JDK (17 or later), Maven and SWIG where they are missing; exports JAVA_HOME
#   maven ARGS...  Maven with SWIG's path and a local repository of its own, build/maven, so that what a user has installed
#   elsewhere
#                  is neither used nor changed

need_java() {
  have javac || need_apt openjdk-17-jdk-headless || return 1
  have mvn || need_apt maven || return 1
  have cmake || need_apt cmake || return 1
  have g++ || need_apt g++ || return 1
  local javac
  javac=$(readlink -f "$(command -v javac)")
  export JAVA_HOME=${javac%/bin/javac}
  SWIG=$(python_venv swig==4.5.1) || return 1
  SWIG=$(dirname "$SWIG")/swig
}

# Debian's Maven writes "colour off" around everything, whatever its options say; that would spoil compared outputs.
maven() {
  mvn -B -ntp -Dmaven.repo.local="$BUILD/maven" -Dbankml.swig="$SWIG" -Dbankml.jobs="$JOBS" "$@" 2>&1 | sed 's/\x1b\[[0-9;]*m//g'
  return "${PIPESTATUS[0]}"
}
