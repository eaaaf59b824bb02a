package io.bankml.internal;

import io.bankml.BankmlException;
import io.bankml.BusyException;
import io.bankml.ErrorCode;
import io.bankml.InvalidArgumentException;
import io.bankml.NoLegalTokenException;
import io.bankml.RejectedTokenException;

/** The exception for a status of the native library: one class for what a caller can do about it. */
public final class Failures {
  private Failures() {}

  /** {@code text} may be null or empty; then the status speaks for itself. */
  public static RuntimeException of(int status, String text) {
    if (status == Direct.MISALIGNED) {
      return new InvalidArgumentException(
          ErrorCode.ARG, "the buffer's memory does not start at a multiple of 4 bytes; make it with "
              + "ByteBuffer.allocateDirect(4 * n).order(ByteOrder.nativeOrder()).asFloatBuffer(), without an odd position");
    }
    ErrorCode code = ErrorCode.of(status);
    String words = text == null || text.isEmpty() ? Texts.text(BankmlNative.status_string(status)) : text;
    switch (code) {
      case ARG:
      case LENGTH:
      case TOKEN:
      case NONFINITE:
      case OPEN_TEXT:
      case PARSE:
      case SCHEMA:
      case STATE:
        return new InvalidArgumentException(code, words);
      case NO_CANDIDATE:
        return new NoLegalTokenException(words);
      case REJECT:
        return new RejectedTokenException(words);
      case BUSY:
        return new BusyException(words);
      default:
        return new BankmlException(code, words);
    }
  }

  /** For a constructor of the C interface, which gives a text and no status. */
  public static RuntimeException ofConstructor(byte[] text) {
    String words = Texts.upToZero(text);
    ErrorCode code = ErrorCode.ARG;
    if (words.equals("out of memory")) {
      code = ErrorCode.NOMEM;
    } else if (words.contains("more than max_states = ") || words.contains("more than max_bytes = ")
        || words.contains("more than max_count = ")) {
      code = ErrorCode.LIMIT;
    } else if (words.startsWith("grammar, line ")) {
      code = ErrorCode.PARSE;
    } else if (words.startsWith("JSON schema conversion failed") || words.startsWith("failed to parse grammar")
        || words.startsWith("a JSON schema needs ")) {
      code = ErrorCode.SCHEMA;
    } else if (words.startsWith("trigger ")) {
      if (words.contains(" is outside the vocabulary of ")) {
        code = ErrorCode.TOKEN;
      } else if (words.contains(": more than ")) {
        code = ErrorCode.LIMIT;
      } else if (words.contains(": pattern, position ")) {
        code = ErrorCode.PARSE;
      }
    }
    return of(code.value(), words);
  }
}
