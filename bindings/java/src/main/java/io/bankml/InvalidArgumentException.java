package io.bankml;

/**
 * A bad argument: a parameter out of range, a wrong number of logits, a token outside the vocabulary, NaN or +inf among the logits,
 * malformed JSON or GGUF. The text names the argument and the value.
 */
public class InvalidArgumentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** What is wrong with it. */
  private final ErrorCode code;

  /**
   * Made by the library's own classes.
   *
   * @param code what is wrong with it
   * @param text the library's text
   */
  public InvalidArgumentException(ErrorCode code, String text) {
    super(text);
    this.code = code;
  }

  /**
   * What is wrong with the argument.
   *
   * @return {@link ErrorCode#ARG}, {@link ErrorCode#LENGTH}, {@link ErrorCode#TOKEN}, {@link ErrorCode#NONFINITE},
   *     {@link ErrorCode#OPEN_TEXT}, {@link ErrorCode#PARSE} or {@link ErrorCode#SCHEMA}
   */
  public ErrorCode code() {
    return code;
  }
}
