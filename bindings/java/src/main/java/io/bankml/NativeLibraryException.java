package io.bankml;

/**
 * The native library cannot be loaded on this machine. The text names the system, the processor and the C library, every attempt
 * with its result, and the remedies.
 */
public class NativeLibraryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Made by the library's own classes.
   *
   * @param text what was tried, and what helps
   */
  public NativeLibraryException(String text) {
    super(text);
  }
}
