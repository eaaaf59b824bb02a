package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Virtual machines of their own for the packaged jars. */
final class Jvm {
  static final Path JARS = Path.of(System.getProperty("bankml.jars"));
  static final String TEST_CLASSES = System.getProperty("bankml.test.classes");
  static final String PLATFORM = System.getProperty("bankml.platform");

  record Result(int status, String output) {
    String succeeded() {
      assertEquals(0, status, output);
      return output;
    }

    String failed() {
      assertNotEquals(0, status, output);
      return output;
    }
  }

  private Jvm() {}

  /** A jar of this build; "" is the main one. */
  static String jar(String classifier) {
    String version = System.getProperty("bankml.pom.version");
    return JARS.resolve("bankml-" + version + (classifier.isEmpty() ? "" : "-" + classifier) + ".jar").toString();
  }

  static String classPath(String... jars) {
    return String.join(File.pathSeparator, jars) + File.pathSeparator + TEST_CLASSES;
  }

  static Result run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
