package io.bankml;

/**
 * The workspace that this sampler shares, or the {@link Pool}, is in use by another thread; the call did nothing and may be tried
 * again.
 */
public class BusyException extends BankmlException {
  private static final long serialVersionUID = 1;

  /**
   * Made by the library's own classes.
   *
   * @param text the library's text
   */
  public BusyException(String text) {
    super(ErrorCode.BUSY, text);
  }
}
