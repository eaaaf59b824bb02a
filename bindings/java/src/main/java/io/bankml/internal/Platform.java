package io.bankml.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which machine this is, in the words of platforms.txt, which the native build reads too. */
public final class Platform {
  private Platform() {}

  /**
   * The folder of a platform's library.
   *
   * @return for instance "linux-x86_64"; null if the table lacks the system or the processor
   */
  public static String name(String osName, String osArch) {
    String os = null;
    String arch = null;
    for (String[] row : table()) {
      if (os == null && row[0].equals("os") && osName.toLowerCase(Locale.ROOT).startsWith(row[1])) {
        os = row[2];
      }
      if (arch == null && row[0].equals("arch") && osArch.toLowerCase(Locale.ROOT).equals(row[1])) {
        arch = row[2];
      }
    }
    return os == null || arch == null ? null : os + "-" + arch;
  }

  public static String name() {
    return name(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /** The C library of this process: "musl" if it is mapped, else "glibc" on Linux, else "". */
  public static String libc() {
    if (!System.getProperty("os.name").startsWith("Linux")) {
      return "";
    }
    try {
      return libcOf(Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1));
    } catch (IOException | SecurityException e) {
      return "glibc"; // no /proc: then a wrong library says itself what it misses
    }
  }

  static String libcOf(List<String> maps) {
    return maps.stream().anyMatch(line -> line.contains("/ld-musl-") || line.contains("/libc.musl-")) ? "musl" : "glibc";
  }

  static List<String[]> table() {
    List<String[]> rows = new ArrayList<>();
    try (InputStream in = Platform.class.getResourceAsStream("platforms.txt");
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        if (!line.startsWith("#") && !line.isBlank()) {
          rows.add(line.split(" "));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
