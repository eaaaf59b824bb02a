# What scripts need to build and run the Java package; source it after scripts/lib.sh.
#
#   need_java      installs a JDK (17 or later), Maven and SWIG where they are missing; exports JAVA_HOME
#   maven ARGS...  Maven, quiet about downloads, with SWIG's path

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

maven() { mvn -B -ntp -Dbankml.swig="$SWIG" -Dbankml.jobs="$JOBS" "$@"; }
