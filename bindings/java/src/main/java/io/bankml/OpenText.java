package io.bankml;

import java.nio.charset.StandardCharsets;

/** A text of the params whose tokens the library cannot know: give them with {@link Params#answer}. */
public final class OpenText {
  private final byte[] bytes;
  private final String purpose;

  OpenText(byte[] bytes, String purpose) {
    this.bytes = bytes;
    this.purpose = purpose;
  }

  /**
   * The text to tokenize, without special tokens.
   *
   * @return its bytes, a copy; not always valid UTF-8, since a breaker's tail may start inside a character
   */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * The text to tokenize, as a string.
   *
   * @return the bytes read as UTF-8; what is no UTF-8 becomes U+FFFD
   */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * What the text is for.
   *
   * @return "dry_sequence_breakers" or "logit_bias"
   */
  public String purpose() {
    return purpose;
  }

  @Override
  public String toString() {
    return purpose + ": " + text();
  }
}
