package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar in virtual machines of their own: the ways to load the native library, and what is said when none works. */
class LoaderIT {
  private static final String PROBE = "io.bankml.probe.Probe";
  private static final String ACCESS = "--enable-native-access=ALL-UNNAMED";
  private static final String TOKENS = io.bankml.probe.Probe.draw();

  @TempDir Path folder;

  /** Draws with these jars on the class path. */
  private static Jvm.Result draw(String option, String... jars) throws Exception {
    return Jvm.run(ACCESS, option, "-cp", Jvm.classPath(jars), PROBE, "draw");
  }

  private static void drew(Jvm.Result result, String module) {
    assertEquals("tokens " + TOKENS + "\nleft 0\nmodule " + module + "\n", result.succeeded());
  }

  private Path library() throws Exception {
    Path file = folder.resolve(System.mapLibraryName("bankml_jni"));
    try (JarFile jar = new JarFile(Jvm.jar(""))) {
      String name = "io/bankml/native/" + Jvm.PLATFORM + "/" + file.getFileName();
      Files.copy(jar.getInputStream(jar.getEntry(name)), file);
    }
    return file;
  }

  @Test
  void on_the_class_path_and_nothing_is_left_behind() throws Exception {
    drew(draw("-Dbankml.tmpdir=" + folder, Jvm.jar("")), "null");
  }

  @Test
  void on_the_module_path() throws Exception {
    drew(Jvm.run("--enable-native-access=io.bankml", "-Dbankml.tmpdir=" + folder, "--module-path", Jvm.jar(""),
        "--add-modules", "io.bankml", "-cp", Jvm.TEST_CLASSES, PROBE, "draw"), "io.bankml");
  }

  @Test
  void natives_as_an_artifact_of_their_own() throws Exception {
    String natives = Jvm.jar("natives-" + Jvm.PLATFORM);
    String classes = Jvm.jar("without-natives");
    drew(Jvm.run(ACCESS, "-cp", Jvm.classPath(classes, natives), PROBE, "draw"), "null");
    drew(Jvm.run("--enable-native-access=io.bankml", "--module-path", classes + ":" + natives, "--add-modules",
        "io.bankml,io.bankml.natives", "-cp", Jvm.TEST_CLASSES, PROBE, "draw"), "io.bankml");
    String output = Jvm.run(ACCESS, "-cp", Jvm.classPath(classes), PROBE, "draw").failed();
    assertTrue(output.contains("classifier natives-" + Jvm.PLATFORM), output);
  }

  @Test
  void a_named_file_or_folder() throws Exception {
    Path file = library();
    for (Path path : new Path[] {file, folder}) {
      drew(draw("-Dbankml.native.path=" + path, Jvm.jar("without-natives")), "null");
    }
    String output = draw("-Dbankml.native.path=" + folder.resolve("none"), Jvm.jar("")).failed();
    assertTrue(output.contains("NativeLibraryException") && output.contains(folder.resolve("none").toString()), output);
  }

  @Test
  void the_virtual_machines_own_library_path() throws Exception {
    library();
    drew(draw("-Djava.library.path=" + folder, Jvm.jar("without-natives")), "null");
  }

  @Test
  void several_class_loaders() throws Exception {
    String twice = "loaders " + TOKENS + " | " + TOKENS + "\n";
    assertEquals(twice, Jvm.run(ACCESS, "-cp", Jvm.classPath(Jvm.jar("")), PROBE, "loaders", Jvm.jar("")).succeeded());
    String named = "-Dbankml.native.path=" + library();
    assertEquals(twice, Jvm.run(ACCESS, named, "-cp", Jvm.classPath(Jvm.jar("")), PROBE, "loaders", Jvm.jar("")).succeeded());
  }

  /** /proc: not even root can make a folder there. */
  @Test
  void no_place_for_temporary_files() throws Exception {
    String output = draw("-Dbankml.tmpdir=/proc", Jvm.jar("")).failed();
    String[] parts = {"NativeLibraryException", "os.arch=", "libc=glibc", "loadLibrary", "-Dbankml.tmpdir=DIR", "noexec"};
    for (String part : parts) {
      assertTrue(output.contains(part), part + " is not in: " + output);
    }
    output = draw("-Djava.io.tmpdir=/proc", Jvm.jar("")).failed();
    assertTrue(output.contains("/proc"), output);
  }

  @Test
  void a_platform_without_a_library() throws Exception {
    String output = draw("-Dos.arch=riscv64", Jvm.jar("")).failed();
    assertTrue(output.contains("os.arch=riscv64") && output.contains("no name for this system"), output);
    output = draw("-Dos.name=Windows 11", Jvm.jar("")).failed();
    assertTrue(output.contains("classifier natives-windows-"), output);
  }

  @Test
  void the_virtual_machines_checks_of_native_code() throws Exception {
    String output = Jvm.run(ACCESS, "-Xcheck:jni", "-cp", Jvm.classPath(Jvm.jar("")), PROBE, "calls").succeeded();
    assertTrue(output.startsWith("calls "), output);
    assertFalse(output.contains("WARNING") || output.contains("FATAL"), output);
  }
}
