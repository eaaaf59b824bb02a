package io.bankml;

/** What went wrong, as the native library numbers it ({@code bankml_status}). */
public enum ErrorCode {
  /** A bad argument or parameter; the text names it and its value. */
  ARG(1),
  /** The number of logits or mask words is not what the sampler needs. */
  LENGTH(2),
  /** A token id outside the vocabulary, or listed twice. */
  TOKEN(3),
  /** NaN or +inf among the logits, or made of them by the parameters. */
  NONFINITE(10),
  /** No token is left: empty set, all logits -inf, nothing allowed. */
  NO_CANDIDATE(11),
  /** A workspace or a pool is in use by another thread. */
  BUSY(20),
  /** Native memory ran out. */
  NOMEM(21),
  /** A buffer was too small. The Java classes make room themselves, so this is not seen. */
  BUFFER(22),
  /** A text of the params still needs its tokens: {@link Params#answer}. */
  OPEN_TEXT(23),
  /** No candidates are kept: {@link Sampler#keep} is off, or nothing was drawn yet. */
  NOT_KEPT(24),
  /** Malformed JSON, GGUF or grammar text. */
  PARSE(30),
  /** A grammar refuses the token. */
  REJECT(31),
  /** A JSON schema that is unsupported or cannot be satisfied. */
  SCHEMA(32),
  /** A resource limit. */
  LIMIT(33),
  /** Damaged or foreign state bytes. */
  STATE(40),
  /** A file cannot be read. */
  IO(41),
  /** A fault of the library; please report it. */
  INTERNAL(90);

  private final int value;

  ErrorCode(int value) {
    this.value = value;
  }

  /**
   * The library's number.
   *
   * @return the value of {@code bankml_status}, positive
   */
  public int value() {
    return value;
  }

  /**
   * The code with a number.
   *
   * @param value a value of {@code bankml_status} other than 0
   * @return its code; {@link #INTERNAL} for a number that this version does not know
   */
  public static ErrorCode of(int value) {
    for (ErrorCode code : values()) {
      if (code.value == value) {
        return code;
      }
    }
    return INTERNAL;
  }
}
