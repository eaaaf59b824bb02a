package io.bankml;

/**
 * A call that the native library refused. {@link #code} says why, the text names what and its value.
 *
 * <p>Subclasses exist for what a program handles on its own: {@link NoLegalTokenException} and {@link BusyException}. A bad
 * argument is {@link InvalidArgumentException}, which is an {@link IllegalArgumentException} and not of this class; a call on a
 * closed object is a plain {@link IllegalStateException}.
 */
public class BankmlException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What went wrong. */
  private final ErrorCode code;

  /**
   * Made by the library's own classes.
   *
   * @param code what went wrong
   * @param text the library's text
   */
  public BankmlException(ErrorCode code, String text) {
    super(text);
    this.code = code;
  }

  /**
   * What went wrong.
   *
   * @return the code, never null
   */
  public ErrorCode code() {
    return code;
  }
}
