package io.bankml.internal;

import io.bankml.NativeLibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads libbankml_jni, once per class loader, from the first place that has it:
 *
 * <ol>
 *   <li>the file, or the folder, that the property bankml.native.path names: then nothing else is tried;
 *   <li>System.loadLibrary("bankml_jni");
 *   <li>the jar, by way of a file in a new private folder below bankml.tmpdir or the default for temporary files. File and folder
 *   are
 *       removed as soon as the library is loaded (the mapping stays), so that nothing is left even after a crash; a name that
 *       nobody can guess, in a folder that nobody else may enter, leaves no room for tricks. It also gives each class loader a file
 *       of its own, since the VM lets only one of them have a given file.
 * </ol>
 */
public final class NativeLoader {
  static final String PATH_PROPERTY = "bankml.native.path";
  static final String TMPDIR_PROPERTY = "bankml.tmpdir";
  private static final String LIBRARY = "bankml_jni";

  private static volatile boolean loaded;

  private NativeLoader() {}

  /** Must have returned once before any native call. */
  public static void load() {
    if (!loaded) {
      loadOnce();
    }
  }

  private static synchronized void loadOnce() {
    if (loaded) {
      return;
    }
    List<String> attempts = new ArrayList<>();
    if (!fromAnywhere(attempts)) {
      throw new NativeLibraryException(explanation(attempts));
    }
    requireSameVersion();
    loaded = true;
  }

  private static boolean fromAnywhere(List<String> attempts) {
    String path = System.getProperty(PATH_PROPERTY);
    if (path != null) {
      return fromPath(Path.of(path), attempts);
    }
    if (attempt("System.loadLibrary(\"" + LIBRARY + "\")", () -> System.loadLibrary(LIBRARY), attempts)) {
      return true;
    }
    return fromJar(attempts);
  }

  private static boolean fromPath(Path path, List<String> attempts) {
    Path file = (Files.isDirectory(path) ? path.resolve(System.mapLibraryName(LIBRARY)) : path).toAbsolutePath();
    if (attempt(file.toString(), () -> System.load(file.toString()), attempts)) {
      return true;
    }
    if (!attempts.get(attempts.size() - 1).contains("already loaded in another classloader")) {
      return false;
    }
    return attempt("a copy of " + file, () -> loadCopy(Files.newInputStream(file)), attempts);
  }

  private static boolean fromJar(List<String> attempts) {
    String platform = Platform.name();
    if (platform == null) {
      attempts.add("the jar: it has no name for this system and processor");
      return false;
    }
    if (Platform.libc().equals("musl")) {
      attempts.add("the jar: its libraries need glibc, this VM runs on musl; build one there and name it with -D" + PATH_PROPERTY);
      return false;
    }
    String name = "io/bankml/native/" + platform + "/" + System.mapLibraryName(LIBRARY);
    URL url = find(name);
    if (url == null) {
      attempts.add("the jar: no " + name + "; add the artifact with the classifier natives-" + platform);
      return false;
    }
    return attempt(url.toString(), () -> loadCopy(open(url)), attempts);
  }

  /** In this class's own jar or module, or in another one: the natives may come as an artifact of their own. */
  private static URL find(String name) {
    URL own = NativeLoader.class.getResource("/" + name);
    ClassLoader loader = NativeLoader.class.getClassLoader();
    return own != null ? own : loader == null ? ClassLoader.getSystemResource(name) : loader.getResource(name);
  }

  /** Without the cache of jar files, which would keep the jar open, or give the bytes of one that has been replaced. */
  private static InputStream open(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    return connection.getInputStream();
  }

  private static void loadCopy(InputStream library) throws IOException {
    String base = System.getProperty(TMPDIR_PROPERTY);
    Path folder = base == null ? Files.createTempDirectory("bankml-") : Files.createTempDirectory(Path.of(base), "bankml-");
    Path file = folder.resolve(System.mapLibraryName(LIBRARY));
    try (library) {
      Files.copy(library, file); // fails if the file exists
      System.load(file.toAbsolutePath().toString());
    } finally {
      remove(file);
      remove(folder);
    }
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      path.toFile().deleteOnExit(); // Windows keeps a loaded library
    }
  }

  private interface Load {
    void run() throws IOException;
  }

  /** From JDK 24 on the VM may refuse native access with an IllegalCallerException. */
  private static boolean attempt(String what, Load load, List<String> attempts) {
    try {
      load.run();
      return true;
    } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
      attempts.add(what + ": " + e);
      return false;
    }
  }

  private static String explanation(List<String> attempts) {
    StringBuilder text = new StringBuilder("bankml's native library cannot be loaded on ");
    text.append("os.name=").append(System.getProperty("os.name")).append(", os.arch=").append(System.getProperty("os.arch"));
    text.append(", libc=").append(Platform.libc()).append(", Java ").append(Runtime.version()).append(". Tried:");
    for (String attempt : attempts) {
      text.append("\n  ").append(attempt);
    }
    text.append("\nIf the folder for temporary files is read-only or mounted noexec, name another one with -D" + TMPDIR_PROPERTY);
    text.append("=DIR, or a library outside the jar with -D" + PATH_PROPERTY + "=FILE.");
    text.append(" If native access is denied, start Java with --enable-native-access=io.bankml (on the class path: =ALL-UNNAMED).");
    return text.toString();
  }

  /** A library of another version would be called with other arguments than it expects. */
  private static void requireSameVersion() {
    String classes =
        BankmlNative.BANKML_VERSION_MAJOR + "." + BankmlNative.BANKML_VERSION_MINOR + "." + BankmlNative.BANKML_VERSION_PATCH;
    String library = Texts.text(BankmlNative.version_string());
    if (!library.startsWith(classes) || BankmlNative.abi_version() != BankmlNative.BANKML_ABI_VERSION) {
      throw new NativeLibraryException(
          "the native library is bankml " + library + ", the Java classes are " + classes + "; use one version of both");
    }
  }
}
