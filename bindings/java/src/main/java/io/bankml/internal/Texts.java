package io.bankml.internal;

import io.bankml.ErrorCode;
import io.bankml.InvalidArgumentException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Texts on their way to and from the native library, which speaks UTF-8 and ends texts with a zero byte. */
public final class Texts {
  /** Room for the text of a failed constructor. */
  public static final int ERROR_BYTES = 512;

  private Texts() {}

  public static String text(byte[] utf8) {
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What a call has written into a buffer. */
  public static String upToZero(byte[] buffer) {
    int end = 0;
    while (end < buffer.length && buffer[end] != 0) {
      ++end;
    }
    return new String(buffer, 0, end, StandardCharsets.UTF_8);
  }

  /** A text for a C string. A zero byte would cut it short, so that another name than the caller's would be looked up. */
  public static byte[] zeroTerminated(String what, String text) {
    return terminated(what, text, StandardCharsets.UTF_8);
  }

  /** A path as the system's own calls take it. */
  public static byte[] zeroTerminated(Path path) {
    return terminated("path", path.toString(), fileNames());
  }

  private static byte[] terminated(String what, String text, Charset charset) {
    if (text.indexOf('\0') >= 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, what + " has a zero character at " + text.indexOf('\0'));
    }
    byte[] bytes = text.getBytes(charset);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  private static Charset fileNames() {
    String name = System.getProperty("sun.jnu.encoding", "UTF-8");
    return Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
  }
}
