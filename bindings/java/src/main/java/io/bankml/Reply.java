package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Writes the probabilities of drawn tokens as a server's JSON, exact in texts and digits.
 *
 * <pre>{@code
 * try (Reply reply = new Reply(Reply.Format.LLAMA_SERVER, vocab, 0)) {
 *   TokenProbs probs = sampler.tokenProbs(logits, token, 5);
 *   reply.add(token, probs.sampledP(), probs.top());
 *   String completionProbabilities = reply.json();
 * }
 * }</pre>
 *
 * <p>A p of zero has the lowest float as its logprob in llama-server's reply, -9999.0 in OpenAI's. Tokens that are no whole characters
 * are shown as each system shows them. Methods are synchronized, so a second thread waits.
 */
public final class Reply implements AutoCloseable {
  /** Whose JSON, and the value of which field. */
  public enum Format {
    /** llama-server's {@code completion_probabilities}. */
    LLAMA_SERVER("llama-server"),
    /** {@code logprobs} of llama-server's /v1 routes. */
    LLAMA_SERVER_CHAT("llama-server-chat"),
    /** {@code logprobs} of OpenAI's chat completions. */
    OPENAI_CHAT("openai-chat"),
    /** {@code logprobs} of OpenAI's completions. */
    OPENAI_COMPLETIONS("openai-completions");

    private final String text;

    Format(String text) {
      this.text = text;
    }
  }

  /** Flag: the p are those of {@link Sampler#postProbs}. llama-server's formats only. */
  public static final int POST_SAMPLING = BankmlNative.BANKML_REPLY_POST_SAMPLING;

  /** Flag: control and unknown tokens, which else have no text, are shown. */
  public static final int SPECIAL = BankmlNative.BANKML_REPLY_SPECIAL;

  private static final int ENTRY_BYTES = 8;

  private final Handle handle;
  private final Direct copies = new Direct();

  /**
   * An empty reply.
   *
   * @param format whose JSON
   * @param vocab the token texts; shared
   * @param flags {@link #POST_SAMPLING}, {@link #SPECIAL}, both or 0
   * @throws InvalidArgumentException for flags that do not fit
   */
  public Reply(Format format, Vocab vocab, int flags) {
    byte[] name = Texts.zeroTerminated("format", format.text);
    byte[] error = new byte[Texts.ERROR_BYTES];
    long r = vocab.with(v -> BankmlNative.reply_new(name, v, flags, error));
    if (r == 0) {
      throw Failures.ofConstructor(error);
    }
    handle = new Handle(this, "reply", r, BankmlNative::reply_free, 4096);
  }

  /**
   * A drawn token.
   *
   * @param token its id
   * @param p its probability, 0 ... 1
   * @param top the best of its row, as {@link Sampler#tokenProbs} or {@link Sampler#postProbs} gave them
   * @throws InvalidArgumentException for a negative id or a p outside [0, 1]; nothing is added then
   * @throws BankmlException with {@link ErrorCode#LIMIT} above 256 MiB of JSON
   */
  public void add(int token, float p, List<TokenProb> top) {
    append(token, p, top, null);
  }

  /**
   * A drawn token for which another text than its piece was sent, since a stop string cut it or held it back.
   *
   * @param token its id
   * @param p its probability, 0 ... 1
   * @param top the best of its row
   * @param text the bytes sent
   */
  public void add(int token, float p, List<TokenProb> top, byte[] text) {
    append(token, p, top, Objects.requireNonNull(text, "text"));
  }

  private synchronized void append(int token, float p, List<TokenProb> top, byte[] text) {
    ByteBuffer room = copies.room(Math.multiplyExact(ENTRY_BYTES, top.size()));
    int at = 0;
    for (TokenProb one : top) {
      room.putInt(at, one.id());
      room.putFloat(at + 4, one.p());
      at += ENTRY_BYTES;
    }
    check(with(r -> BankmlNative.java_reply_add(r, token, p, room, top.size(), text)));
  }

  /**
   * The JSON of all tokens added.
   *
   * @return without blanks
   */
  public synchronized String json() {
    byte[] json = with(BankmlNative::java_reply_json);
    if (json == null) {
      throw Failures.of(ErrorCode.NOMEM.value(), null);
    }
    return Texts.text(json);
  }

  /** Forgets the tokens, for the next part of a stream; text_offset goes on. */
  public synchronized void clear() {
    check(with(BankmlNative::reply_clear));
  }

  /**
   * Where the next token's text begins; 0 at first.
   *
   * @param characters those of the prompt, where offsets count from there
   * @throws InvalidArgumentException if it is negative
   */
  public synchronized void setTextOffset(long characters) {
    if (characters < 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, "characters " + characters + " is negative");
    }
    check(with(r -> BankmlNative.reply_text_offset(r, characters)));
  }

  /** Gives the memory back; waits for a running call. Closing twice is fine. */
  @Override
  public synchronized void close() {
    handle.close();
  }

  private void check(int status) {
    if (status != 0) {
      throw Failures.of(status, Texts.text(BankmlNative.reply_error(handle.get())));
    }
  }

  private <T> T with(LongFunction<T> call) {
    try {
      return call.apply(handle.get());
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
