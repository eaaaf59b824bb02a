package io.bankml;

/** A {@link Grammar} does not allow the token at this place; the grammar is as it was. */
public class RejectedTokenException extends BankmlException {
  private static final long serialVersionUID = 1;

  /**
   * Made by the library's own classes.
   *
   * @param text the library's text
   */
  public RejectedTokenException(String text) {
    super(ErrorCode.REJECT, text);
  }
}
