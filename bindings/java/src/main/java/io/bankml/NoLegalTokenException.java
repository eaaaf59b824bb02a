package io.bankml;

/** No token is left to draw: all logits are -inf, or the mask allows nothing that has a finite logit. */
public class NoLegalTokenException extends BankmlException {
  private static final long serialVersionUID = 1;

  /**
   * Made by the library's own classes.
   *
   * @param text the library's text
   */
  public NoLegalTokenException(String text) {
    super(ErrorCode.NO_CANDIDATE, text);
  }
}
