package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Claim;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * What the text of one sequence may be. It allows and accepts what llama.cpp allows and accepts.
 *
 * <pre>{@code
 * try (Grammar grammar = Grammar.fromGbnf(vocab, "root ::= \"yes\" | \"no\"")) {
 *   int token = sampler.sampleConstrained(logits, grammar);
 *   grammar.accept(token); // the grammar first, then the sampler
 *   sampler.accept(token);
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> One grammar is for one thread at a time: its methods are synchronized, so a second thread waits. Copies share
 * compiled rules and masks and may be used from different threads at the same time. A {@link Batch} that draws counts as a call on
 * each of its grammars.
 *
 * <p>After any exception the grammar is as it was before the call. Once a place's mask is there, {@code mask} into an array or a
 * buffer, {@code test}, {@code accept} with one token and {@link Sampler#sampleConstrained} make no object.
 */
public final class Grammar implements AutoCloseable {
  /** What a forced text can be at most. */
  private static final int FORCED_BYTES = 4096;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Handle handle;
  private final Claim claim = new Claim(this);
  private final long number = NUMBERS.incrementAndGet();
  private final int nVocab;
  private final Direct copies = new Direct();
  /** Where a mask goes that the caller's memory cannot take as it is; made when first needed. */
  private IntBuffer words;

  Grammar(long g, byte[] error, int nVocab) {
    if (g == 0) {
      throw Failures.ofConstructor(error);
    }
    this.nVocab = nVocab;
    handle = new Handle(this, "grammar", g, BankmlNative::grammar_free, BankmlNative.grammar_bytes(g));
  }

  /**
   * A grammar from GBNF text, as llama.cpp reads it.
   *
   * @param vocab the token texts; shared
   * @param gbnf the rules; an empty text constrains nothing
   * @return the grammar
   * @throws InvalidArgumentException for a malformed text ({@link ErrorCode#PARSE}; "grammar, line L, column C: " and llama.cpp's
   *     words)
   * @throws BankmlException with {@link ErrorCode#LIMIT} for a grammar that is too large
   */
  public static Grammar fromGbnf(Vocab vocab, String gbnf) {
    return builder().build(vocab, gbnf);
  }

  /**
   * A grammar from a JSON schema, in llama.cpp's reading ({@code dialect("llama")}).
   *
   * @param vocab the token texts; shared
   * @param json the schema
   * @return the grammar
   * @throws InvalidArgumentException for a refused schema ({@link ErrorCode#SCHEMA}; llama.cpp's words) and for malformed JSON
   * @throws BankmlException with {@link ErrorCode#LIMIT} for a grammar that is too large
   */
  public static Grammar fromSchema(Vocab vocab, String json) {
    return builder().dialect("llama").buildFromSchema(vocab, json);
  }

  /**
   * For a grammar with options.
   *
   * @return a builder without options
   */
  public static GrammarBuilder builder() {
    return new GrammarBuilder();
  }

  /**
   * An independent grammar at the same place, sharing compiled rules and masks. Cheap.
   *
   * @return the copy, which the caller closes
   */
  public Grammar copy() {
    byte[] error = new byte[Texts.ERROR_BYTES];
    return with(g -> new Grammar(BankmlNative.grammar_clone(g, error), error, nVocab));
  }

  // ---- What is allowed next

  /**
   * The tokens that are allowed next.
   *
   * @return ceil(nVocab / 32) words: bit i of word w is token 32 * w + i, set = allowed
   * @throws BankmlException with {@link ErrorCode#LIMIT} if maxBytes is too little
   */
  public int[] mask() {
    int[] out = new int[nWords()];
    mask(out);
    return out;
  }

  /**
   * The tokens that are allowed next, as {@link #mask()}.
   *
   * @param out ceil(nVocab / 32) words or more; those behind the vocabulary become 0
   * @throws InvalidArgumentException if it is shorter
   */
  public synchronized void mask(int[] out) {
    long g = enter();
    int n = requireWords(out.length);
    own(g).get(0, out, 0, n);
    Arrays.fill(out, n, out.length, 0);
  }

  /**
   * The tokens that are allowed next, as {@link #mask()}.
   *
   * @param out ceil(nVocab / 32) words or more from position to limit, which stay; written in place if direct and in native order.
   *     Those behind the vocabulary become 0
   * @throws InvalidArgumentException if there are fewer, if it is read-only, or direct and not aligned to 4 bytes
   */
  public synchronized void mask(IntBuffer out) {
    long g = enter();
    int at = out.position();
    int room = Math.max(0, out.limit() - at);
    int n = requireWords(room);
    if (out.isReadOnly()) {
      throw new InvalidArgumentException(ErrorCode.ARG, "the mask's buffer is read-only");
    }
    if (out.isDirect() && out.order() == ByteOrder.nativeOrder()) {
      out.get(at); // memory of a closed arena (Java 22) throws here; native code would not notice
      check(BankmlNative.java_grammar_mask(g, out, at, room));
      return;
    }
    out.put(at, own(g), 0, n);
    for (int i = at + n; i < at + room; ++i) {
      out.put(i, 0);
    }
  }

  private IntBuffer own(long g) {
    if (words == null) {
      words = Direct.ints(nWords());
    }
    check(BankmlNative.java_grammar_mask(g, words, 0, nWords()));
    return words;
  }

  /**
   * Whether a token is allowed next, without a mask.
   *
   * @param token its id; those behind the vocabulary are not allowed
   * @return true if it is
   * @throws InvalidArgumentException if it is negative
   */
  public synchronized boolean test(int token) {
    return low(BankmlNative.java_grammar_test(enter(), token)) != 0;
  }

  /**
   * Whether the text may end here.
   *
   * @return true if it may
   */
  public synchronized boolean isComplete() {
    return low(BankmlNative.java_grammar_is_complete(enter())) != 0;
  }

  /**
   * Whether nothing is allowed next, not even an end.
   *
   * @return true if the mask is empty
   */
  public synchronized boolean isDead() {
    return low(BankmlNative.java_grammar_is_dead(enter())) != 0;
  }

  /**
   * The bytes with which every text from here on begins, perhaps from inside a character.
   *
   * @return 4,096 at most; none where ending is possible, where a token reference is next, or while a lazy grammar waits
   */
  public synchronized byte[] forced() {
    long g = enter();
    ByteBuffer room = copies.room(FORCED_BYTES);
    return bytes(room, low(BankmlNative.java_grammar_forced(g, room, FORCED_BYTES)));
  }

  // ---- Going on

  /**
   * Goes on behind a token. An end token is accepted where ending is allowed, and changes nothing.
   *
   * @param token its id
   * @throws RejectedTokenException if it is not allowed here
   * @throws InvalidArgumentException if it is outside the vocabulary
   */
  public synchronized void accept(int token) {
    check(BankmlNative.grammar_accept(enter(), token));
  }

  /**
   * Goes on behind several tokens, all or none of them.
   *
   * @param tokens their ids, in order; may be empty
   * @throws RejectedTokenException if one is not allowed where it stands
   * @throws InvalidArgumentException if one is outside the vocabulary
   */
  public synchronized void accept(int[] tokens) {
    long g = enter();
    check(BankmlNative.java_grammar_accept_many(g, copies.copy(tokens, 0, tokens.length), 0, tokens.length));
  }

  /**
   * Goes on behind several tokens, as {@link #accept(int[])}.
   *
   * @param tokens their ids from position to limit; zero-copy if direct and in native order
   */
  public synchronized void accept(IntBuffer tokens) {
    long g = enter();
    int at = tokens.position();
    int n = Math.max(0, tokens.limit() - at);
    IntBuffer ids = copies.readable("tokens", tokens, at, n);
    check(BankmlNative.java_grammar_accept_many(g, ids, ids == tokens ? at : 0, n));
  }

  /**
   * Takes tokens back.
   *
   * @param n how many of the last, up to all since construction or reset
   * @throws InvalidArgumentException for more, or a negative number
   */
  public synchronized void rollback(int n) {
    long g = enter();
    requireNotNegative(n);
    check(BankmlNative.grammar_rollback(g, n));
  }

  /** Back to the start of the text. */
  public synchronized void reset() {
    check(BankmlNative.grammar_reset(enter()));
  }

  /**
   * Computes masks of places that may come next, for example while the model runs.
   *
   * @param n how many at most
   * @return how many were new
   */
  public synchronized int warm(int n) {
    long g = enter();
    requireNotNegative(n);
    return low(BankmlNative.java_grammar_warm(g, n));
  }

  /**
   * The place in the text, for {@link #load} on a grammar of the same vocabulary, text and options.
   *
   * @return portable bytes
   */
  public synchronized byte[] save() {
    long g = enter();
    ByteBuffer room = copies.room(FORCED_BYTES);
    long packed = BankmlNative.java_grammar_save(g, room, room.capacity());
    if ((int) (packed >>> 32) == BankmlNative.BANKML_BUFFER) {
      room = copies.room((int) packed);
      packed = BankmlNative.java_grammar_save(g, room, room.capacity());
    }
    return bytes(room, low(packed));
  }

  /**
   * Goes to a saved place.
   *
   * @param saved what {@link #save} gave
   * @throws InvalidArgumentException with {@link ErrorCode#STATE} for damaged bytes or those of another grammar
   */
  public synchronized void load(byte[] saved) {
    check(BankmlNative.grammar_load(enter(), Objects.requireNonNull(saved, "saved")));
  }

  // ---- What it is

  /**
   * The number of tokens of its vocabulary.
   *
   * @return 1 or more
   */
  public int nVocab() {
    return nVocab;
  }

  /**
   * The grammar as GBNF text.
   *
   * @return llama.cpp's GBNF
   */
  public String toGbnf() {
    return with(g -> Texts.text(BankmlNative.java_grammar_to_gbnf(g)));
  }

  /**
   * Native memory, what copies share included.
   *
   * @return bytes
   */
  public long bytes() {
    return with(BankmlNative::grammar_bytes);
  }

  /**
   * How many masks were computed since the states were last dropped; others were found.
   *
   * @return 0 or more
   */
  public long maskFills() {
    return with(BankmlNative::grammar_mask_fills);
  }

  /** Gives the memory back; waits for a running call. Closing twice is fine. */
  @Override
  public synchronized void close() {
    claim.awaitFree();
    handle.close();
  }

  // ---- For samplers and batches

  /** Its place in the order in which all batches take grammars, after their samplers. */
  long number() {
    return number;
  }

  void take() {
    claim.take();
  }

  void give() {
    claim.give();
  }

  /** For whoever has taken it. */
  long pointer() {
    return handle.get();
  }

  /** The pointer for a call, which begins with this, under the lock: waiting for a batch gives up the lock. */
  long enter() {
    claim.awaitFree();
    return handle.get();
  }

  // ---- Results and checks

  private void check(int status) {
    Reference.reachabilityFence(this);
    if (status != 0) {
      throw Failures.of(status, Texts.text(BankmlNative.grammar_error(handle.get())));
    }
  }

  private int low(long packed) {
    check((int) (packed >>> 32));
    return (int) packed;
  }

  private synchronized <T> T with(LongFunction<T> call) {
    try {
      return call.apply(enter());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private int nWords() {
    return (nVocab + 31) / 32;
  }

  private int requireWords(int n) {
    if (n < nWords()) {
      throw new InvalidArgumentException(
          ErrorCode.LENGTH, "the mask has " + n + " words, " + nVocab + " tokens need " + nWords());
    }
    return nWords();
  }

  private static void requireNotNegative(int n) {
    if (n < 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, "n " + n + " is negative");
    }
  }

  private static byte[] bytes(ByteBuffer room, int n) {
    byte[] bytes = new byte[n];
    room.get(0, bytes);
    return bytes;
  }
}
