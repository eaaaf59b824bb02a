// Long because every public member says what it takes, gives and refuses; the code is a few lines each.
package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Claim;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;

/**
 * One sequence's sampler: a row of logits in, a token out, bit for bit what llama.cpp's server draws with the same params.
 *
 * <pre>{@code
 * try (Params params = Params.builder().temperature(0.7).seed(42).build();
 *     Sampler sampler = new Sampler(params, nVocab)) {
 *   int token = sampler.sample(logits);
 *   sampler.accept(token);
 * }
 * }</pre>
 *
 * <p><b>Logits</b> are float32, one per token id, {@link #nVocab} of them, not changed and not kept. A direct {@link FloatBuffer}
 * in native byte order is read in place, from position to limit, and its position stays; a {@code float[]} or any other buffer is
 * copied once into memory of the sampler. No call of {@code sample}, {@code sampleMasked} or {@code accept} with one token makes an
 * object.
 *
 * <p><b>Threads.</b> Different samplers may be used from different threads at the same time. One sampler is for one thread at a
 * time: its methods are synchronized, so a second thread waits; {@link #close} waits for a running call. A {@link Batch} that draws
 * counts as a call on each of its samplers.
 *
 * <p>After any exception the sampler is as it was before the call, and the next call works.
 */
public final class Sampler implements AutoCloseable {
  /** Room for this many candidates is made at first; a larger set makes its own. */
  private static final int FIRST_ROOM = 64;
  private static final int CANDIDATE_BYTES = 12;
  private static final int PROB_BYTES = 8;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Handle handle;
  private final Claim claim = new Claim(this);
  private final long number = NUMBERS.incrementAndGet();
  private final int nVocab;
  private final Direct copies = new Direct();
  private final Direct maskCopies = new Direct();
  private boolean redrawn;

  /**
   * A sampler with llama-server's defaults and a random seed.
   *
   * @param nVocab the number of logits, 1 or more
   * @throws InvalidArgumentException if it is less
   * @throws NativeLibraryException if the native library cannot be loaded
   */
  public Sampler(int nVocab) {
    this(make(null, null, nVocab));
  }

  /**
   * A sampler without a vocabulary. Steps that need token texts are refused.
   *
   * @param params how to sample; copied
   * @param nVocab the number of logits, 1 or more
   * @throws InvalidArgumentException if the params do not fit together, name a step that needs a vocabulary, or have an open text
   */
  public Sampler(Params params, int nVocab) {
    this(make(Objects.requireNonNull(params, "params"), null, nVocab));
  }

  /**
   * A sampler for a vocabulary.
   *
   * @param params how to sample; copied
   * @param vocab the token texts; shared
   * @throws InvalidArgumentException if the params do not fit together or to the vocabulary, or have an open text
   */
  public Sampler(Params params, Vocab vocab) {
    this(params, vocab, 0);
  }

  /**
   * A sampler for a vocabulary and padded rows of logits.
   *
   * @param params how to sample; copied
   * @param vocab the token texts; shared
   * @param nVocab the number of logits, the vocabulary's size or more; 0 = the vocabulary's size
   * @throws InvalidArgumentException if the params do not fit together or to the vocabulary, have an open text, or rows are too
   *     short
   */
  public Sampler(Params params, Vocab vocab, int nVocab) {
    this(make(Objects.requireNonNull(params, "params"), Objects.requireNonNull(vocab, "vocab"), nVocab));
  }

  private Sampler(long s) {
    nVocab = (int) BankmlNative.sampler_n_vocab(s);
    handle = new Handle(this, "sampler", s, BankmlNative::sampler_free, BankmlNative.sampler_bytes(s));
  }

  private static long make(Params params, Vocab vocab, int nVocab) {
    NativeLoader.load();
    if (nVocab < 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, "nVocab " + nVocab + " is negative");
    }
    byte[] error = new byte[Texts.ERROR_BYTES];
    LongBinaryOperator make = (p, v) -> BankmlNative.sampler_new(p, v, nVocab, error);
    LongFunction<Long> withVocab = p -> vocab == null ? make.applyAsLong(p, 0) : vocab.with(v -> make.applyAsLong(p, v));
    return made(params == null ? withVocab.apply(0) : params.with(withVocab), error);
  }

  private static long made(long s, byte[] error) {
    if (s == 0) {
      throw Failures.ofConstructor(error);
    }
    return s;
  }

  /**
   * An independent sampler in the same state: history, random generator, averages. It uses the same vocabulary and memory of its
   * own.
   *
   * @return the copy, which the caller closes
   */
  public synchronized Sampler copy() {
    byte[] error = new byte[Texts.ERROR_BYTES];
    Sampler copy = new Sampler(made(BankmlNative.sampler_clone(enter(), error), error));
    Reference.reachabilityFence(this);
    return copy;
  }

  /**
   * The number of logits that a row has.
   *
   * @return 1 or more
   */
  public int nVocab() {
    return nVocab;
  }

  // ---- Drawing

  /**
   * Runs the chain on a row and draws. The token is not accepted: {@link #accept} it if it is taken.
   *
   * @param logits {@link #nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @return the token
   * @throws InvalidArgumentException for a wrong number of logits, NaN or +inf among them, a direct buffer in foreign byte order
   * @throws NoLegalTokenException if all logits are -inf
   * @throws BusyException if the workspace is in use by another thread
   */
  public synchronized int sample(FloatBuffer logits) {
    long s = enter();
    int at = logits.position();
    int n = requireRow(logits.limit() - at);
    FloatBuffer row = copies.readable("logits", logits, at, n);
    return low(BankmlNative.java_sample(s, row, row == logits ? at : 0, n));
  }

  /**
   * Runs the chain on a row and draws, as {@link #sample(FloatBuffer)}.
   *
   * @param logits {@link #nVocab} values; copied once
   * @return the token
   */
  public int sample(float[] logits) {
    return sample(logits, 0, logits.length);
  }

  /**
   * Runs the chain on a row within an array and draws, as {@link #sample(FloatBuffer)}.
   *
   * @param logits an array that holds the row; the row is copied once
   * @param offset where the row begins
   * @param length its length, {@link #nVocab}
   * @return the token
   * @throws IndexOutOfBoundsException if the row is not within the array
   */
  public synchronized int sample(float[] logits, int offset, int length) {
    long s = enter();
    return low(BankmlNative.java_sample(s, row(logits, offset, length), 0, length));
  }

  /**
   * Draws under a mask: forbidden tokens get logit -inf before the first step. NaN and +inf are looked for among allowed tokens
   * only.
   *
   * @param logits {@link #nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @param mask one bit a token from position to limit, ceil(nVocab / 32) words or more: bit i of word w allows token 32 * w + i;
   *     zero-copy if direct and in native order
   * @return the token
   * @throws InvalidArgumentException as {@link #sample(FloatBuffer)}, and for too few words
   * @throws NoLegalTokenException if the mask allows no token, or only such with logit -inf
   * @throws BusyException if the workspace is in use by another thread
   */
  public synchronized int sampleMasked(FloatBuffer logits, IntBuffer mask) {
    long s = enter();
    int at = logits.position();
    int n = requireRow(logits.limit() - at);
    FloatBuffer row = copies.readable("logits", logits, at, n);
    int wordsAt = mask.position();
    int nWords = Math.max(0, mask.limit() - wordsAt);
    IntBuffer words = maskCopies.readable("mask", mask, wordsAt, nWords);
    return low(BankmlNative.java_sample_masked(s, row, row == logits ? at : 0, n, words, words == mask ? wordsAt : 0, nWords));
  }

  /**
   * Draws under a mask, as {@link #sampleMasked(FloatBuffer, IntBuffer)}.
   *
   * @param logits {@link #nVocab} values; copied once
   * @param mask ceil(nVocab / 32) words or more; copied once
   * @return the token
   */
  public int sampleMasked(float[] logits, int[] mask) {
    return sampleMasked(logits, 0, logits.length, mask);
  }

  /**
   * Draws under a mask from a row within an array, as {@link #sampleMasked(FloatBuffer, IntBuffer)}.
   *
   * @param logits an array that holds the row; the row is copied once
   * @param offset where the row begins
   * @param length its length, {@link #nVocab}
   * @param mask ceil(nVocab / 32) words or more; copied once
   * @return the token
   * @throws IndexOutOfBoundsException if the row is not within the array
   */
  public synchronized int sampleMasked(float[] logits, int offset, int length, int[] mask) {
    long s = enter();
    FloatBuffer row = row(logits, offset, length);
    IntBuffer words = maskCopies.copy(mask, 0, mask.length);
    return low(BankmlNative.java_sample_masked(s, row, 0, length, words, 0, mask.length));
  }

  /**
   * Draws under a grammar, as llama-server does: draws, asks the grammar, and only if it refuses draws again under its mask;
   * {@link #redrawn} says whether. Neither is advanced: {@link Grammar#accept(int)} first, then {@link #accept(int)}.
   *
   * @param logits {@link #nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @param grammar what is allowed; its vocabulary has nVocab tokens at most
   * @return the token
   * @throws InvalidArgumentException as {@link #sample(FloatBuffer)}, and for a grammar of more tokens
   * @throws NoLegalTokenException if the grammar allows no token, or only such with logit -inf
   * @throws BankmlException with {@link ErrorCode#LIMIT} if the grammar's maxBytes is too little
   * @throws BusyException if the workspace is in use by another thread
   */
  public int sampleConstrained(FloatBuffer logits, Grammar grammar) {
    return sampleConstrained(logits, grammar, false);
  }

  /**
   * Draws under a grammar, as {@link #sampleConstrained(FloatBuffer, Grammar)}.
   *
   * @param logits {@link #nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @param grammar what is allowed
   * @param grammarFirst true: one draw, under the grammar's mask
   * @return the token
   */
  public synchronized int sampleConstrained(FloatBuffer logits, Grammar grammar, boolean grammarFirst) {
    long s = enter();
    int at = logits.position();
    int n = requireRow(logits.limit() - at);
    FloatBuffer row = copies.readable("logits", logits, at, n);
    return constrained(s, row, row == logits ? at : 0, grammar, grammarFirst);
  }

  /**
   * Draws under a grammar, as {@link #sampleConstrained(FloatBuffer, Grammar)}.
   *
   * @param logits {@link #nVocab} values; copied once
   * @param grammar what is allowed
   * @return the token
   */
  public int sampleConstrained(float[] logits, Grammar grammar) {
    return sampleConstrained(logits, grammar, false);
  }

  /**
   * Draws under a grammar, as {@link #sampleConstrained(FloatBuffer, Grammar)}.
   *
   * @param logits {@link #nVocab} values; copied once
   * @param grammar what is allowed
   * @param grammarFirst true: one draw, under the grammar's mask
   * @return the token
   */
  public synchronized int sampleConstrained(float[] logits, Grammar grammar, boolean grammarFirst) {
    long s = enter();
    return constrained(s, row(logits, 0, logits.length), 0, grammar, grammarFirst);
  }

  /** Every thread locks a sampler before a grammar, so that none waits for another in a ring. */
  private int constrained(long s, FloatBuffer row, int at, Grammar grammar, boolean grammarFirst) {
    int flags = grammarFirst ? BankmlNative.BANKML_GRAMMAR_FIRST : 0;
    long packed;
    synchronized (grammar) {
      packed = BankmlNative.java_sample_constrained(s, row, at, nVocab, grammar.enter(), flags);
      Reference.reachabilityFence(grammar);
    }
    int low = low(packed);
    redrawn = low < 0;
    return low & Integer.MAX_VALUE;
  }

  /**
   * Whether the last draw under a grammar was a second one, because the first did not fit. Draws of batches do not count:
   * {@link Batch#redrawn}.
   *
   * @return false before the first
   */
  public synchronized boolean redrawn() {
    enter();
    return redrawn;
  }

  /**
   * Draws from candidates that a device selected, in the order given.
   *
   * @param ids distinct tokens from position to limit; zero-copy if direct and in native order
   * @param logits as many float32; zero-copy if direct and in native order
   * @return the token
   * @throws InvalidArgumentException for different lengths, a token out of range or listed twice, NaN or +inf
   * @throws NoLegalTokenException if there are none, or all have logit -inf
   * @throws BusyException if the workspace is in use by another thread
   */
  public synchronized int sampleCandidates(IntBuffer ids, FloatBuffer logits) {
    long s = enter();
    int at = logits.position();
    int n = Math.max(0, logits.limit() - at);
    int idsAt = ids.position();
    requireSameLength(ids.limit() - idsAt, n);
    FloatBuffer values = copies.readable("logits", logits, at, n);
    IntBuffer tokens = copies.readable("ids", ids, idsAt, n);
    return low(BankmlNative.java_sample_candidates(s, tokens, tokens == ids ? idsAt : 0, values, values == logits ? at : 0, n));
  }

  /**
   * Draws from candidates, as {@link #sampleCandidates(IntBuffer, FloatBuffer)}.
   *
   * @param ids distinct tokens; copied once
   * @param logits as many values; copied once
   * @return the token
   */
  public synchronized int sampleCandidates(int[] ids, float[] logits) {
    long s = enter();
    requireSameLength(ids.length, logits.length);
    FloatBuffer values = copies.copy(logits, 0, logits.length);
    return low(BankmlNative.java_sample_candidates(s, copies.copy(ids, 0, ids.length), 0, values, 0, ids.length));
  }

  // ---- Feeding back

  /**
   * Feeds a token back. The prompt's tokens go first, then each one that was drawn and taken: penalties and DRY look at them.
   *
   * @param token its id
   * @throws InvalidArgumentException if it is outside [0, {@link #nVocab})
   */
  public synchronized void accept(int token) {
    check(BankmlNative.sampler_accept(enter(), token));
  }

  /**
   * Feeds tokens back, all or none of them.
   *
   * @param tokens their ids, oldest first; may be empty
   * @throws InvalidArgumentException if one is outside [0, {@link #nVocab})
   */
  public void accept(int[] tokens) {
    accept(tokens, 0, tokens.length);
  }

  /**
   * Feeds a part of an array back, all or none of it.
   *
   * @param tokens an array that holds the ids, oldest first
   * @param offset where they begin
   * @param length how many they are
   * @throws IndexOutOfBoundsException if they are not within the array
   * @throws InvalidArgumentException if one is outside [0, {@link #nVocab})
   */
  public synchronized void accept(int[] tokens, int offset, int length) {
    long s = enter();
    Objects.checkFromIndexSize(offset, length, tokens.length);
    check(BankmlNative.java_accept_many(s, copies.copy(tokens, offset, length), 0, length));
  }

  /**
   * Feeds tokens back, all or none of them.
   *
   * @param tokens their ids from position to limit; zero-copy if direct and in native order
   * @throws InvalidArgumentException if one is outside [0, {@link #nVocab})
   */
  public synchronized void accept(IntBuffer tokens) {
    long s = enter();
    int at = tokens.position();
    int n = Math.max(0, tokens.limit() - at);
    IntBuffer ids = copies.readable("tokens", tokens, at, n);
    check(BankmlNative.java_accept_many(s, ids, ids == tokens ? at : 0, n));
  }

  // ---- Candidates and probabilities

  /**
   * Whether each draw leaves its surviving candidates behind. Default off.
   *
   * @param on true: keep them
   */
  public synchronized void keep(boolean on) {
    check(BankmlNative.sampler_keep(enter(), on ? 1 : 0));
  }

  /**
   * The candidates that survived the last draw, in the order of the last step. They last until the next draw on the same workspace.
   *
   * @return the candidates; unmodifiable
   * @throws BankmlException with {@link ErrorCode#NOT_KEPT} if {@link #keep} is off, or nothing was drawn yet
   */
  public synchronized List<Candidate> candidates() {
    long s = enter();
    ByteBuffer room = copies.room(FIRST_ROOM * CANDIDATE_BYTES);
    long packed = BankmlNative.java_candidates(s, room, room.capacity() / CANDIDATE_BYTES);
    if (isTooSmall(packed)) {
      room = copies.room(Math.multiplyExact((int) packed, CANDIDATE_BYTES));
      packed = BankmlNative.java_candidates(s, room, room.capacity() / CANDIDATE_BYTES);
    }
    int n = low(packed);
    List<Candidate> list = new ArrayList<>(n);
    for (int i = 0; i < n * CANDIDATE_BYTES; i += CANDIDATE_BYTES) {
      list.add(new Candidate(room.getInt(i), room.getFloat(i + 4), room.getFloat(i + 8)));
    }
    return List.copyOf(list);
  }

  /**
   * The survivors of the last draw by probability, descending (llama-server's post-sampling probabilities).
   *
   * @param nTop how many at most, 0 or more; the list ends before the first with p = 0
   * @return tokens with their probability after the chain; unmodifiable
   * @throws BankmlException with {@link ErrorCode#NOT_KEPT} if {@link #keep} is off, or nothing was drawn yet
   */
  public synchronized List<TokenProb> postProbs(int nTop) {
    long s = enter();
    requireNotNegative(nTop);
    ByteBuffer room = copies.room(FIRST_ROOM * PROB_BYTES);
    long packed = BankmlNative.java_post_probs(s, nTop, room, room.capacity() / PROB_BYTES);
    if (isTooSmall(packed)) {
      room = copies.room(Math.multiplyExact((int) packed, PROB_BYTES));
      packed = BankmlNative.java_post_probs(s, nTop, room, room.capacity() / PROB_BYTES);
    }
    return probs(room, 0, low(packed));
  }

  /**
   * Probabilities of a row as it is, independent of params and history: the raw softmax, in llama-server's order and with its sums.
   *
   * @param logits {@link #nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @param sampled the token whose probability is wanted, -1 = none
   * @param nTop how many of the best, 0 or more
   * @return the probability of the named token, and the best tokens
   * @throws InvalidArgumentException as {@link #sample(FloatBuffer)}, and for a token out of range
   * @throws NoLegalTokenException if all logits are -inf
   */
  public synchronized TokenProbs tokenProbs(FloatBuffer logits, int sampled, int nTop) {
    long s = enter();
    int at = logits.position();
    int n = requireRow(logits.limit() - at);
    FloatBuffer row = copies.readable("logits", logits, at, n);
    return tokenProbs(s, row, row == logits ? at : 0, sampled, nTop);
  }

  /**
   * Probabilities of a row, as {@link #tokenProbs(FloatBuffer, int, int)}.
   *
   * @param logits {@link #nVocab} values; copied once
   * @param sampled the token whose probability is wanted, -1 = none
   * @param nTop how many of the best, 0 or more
   * @return the probability of the named token, and the best tokens
   */
  public synchronized TokenProbs tokenProbs(float[] logits, int sampled, int nTop) {
    long s = enter();
    return tokenProbs(s, row(logits, 0, logits.length), 0, sampled, nTop);
  }

  private TokenProbs tokenProbs(long s, FloatBuffer row, int at, int sampled, int nTop) {
    requireNotNegative(nTop);
    int cap = Math.min(nTop, nVocab);
    ByteBuffer room = copies.room(Math.multiplyExact(cap + 1, PROB_BYTES));
    int n = low(BankmlNative.java_token_probs(s, row, at, nVocab, sampled, nTop, room, cap));
    return new TokenProbs(room.getFloat(4), probs(room, PROB_BYTES, n));
  }

  private static List<TokenProb> probs(ByteBuffer room, int from, int n) {
    List<TokenProb> list = new ArrayList<>(n);
    for (int i = from; i < from + n * PROB_BYTES; i += PROB_BYTES) {
      list.add(new TokenProb(room.getInt(i), room.getFloat(i + 4)));
    }
    return List.copyOf(list);
  }

  // ---- State

  /**
   * The state (history, generators, mu, averages) as bytes that are the same on every platform.
   *
   * @return for {@link #load}
   */
  public synchronized byte[] save() {
    long s = enter();
    ByteBuffer room = ByteBuffer.allocateDirect(4096);
    long packed = BankmlNative.java_sampler_save(s, room, room.capacity());
    if ((int) (packed >>> 32) == BankmlNative.BANKML_BUFFER) {
      room = ByteBuffer.allocateDirect((int) packed);
      packed = BankmlNative.java_sampler_save(s, room, room.capacity());
    }
    check((int) (packed >>> 32));
    byte[] bytes = new byte[(int) packed];
    room.get(0, bytes);
    return bytes;
  }

  /**
   * Takes over a saved state; draws then go on as the saved sampler's would.
   *
   * @param saved what {@link #save} gave
   * @throws InvalidArgumentException with {@link ErrorCode#STATE} for damaged bytes and those of a sampler of other parameters (the
   *     seed and {@code disable} apart) or another n_vocab; nothing is changed then
   */
  public synchronized void load(byte[] saved) {
    check(BankmlNative.sampler_load(enter(), Objects.requireNonNull(saved, "saved")));
  }

  /** Clears history and averages and seeds anew: a given seed replays, a random one takes a new value. */
  public synchronized void reset() {
    check(BankmlNative.sampler_reset(enter()));
  }

  /**
   * The seed in use, a random one too; a sampler with this seed draws the same.
   *
   * @return 0 ... 4294967295
   */
  public long seed() {
    return with(BankmlNative::sampler_get_seed);
  }

  /**
   * Seeds the random generator anew and changes nothing else.
   *
   * @param seed 0 ... 4294967294; -1 or 4294967295: a random one
   * @throws InvalidArgumentException outside that range
   */
  public synchronized void seed(long seed) {
    long s = enter();
    if (seed < -1 || seed > 0xFFFFFFFFL) {
      throw new InvalidArgumentException(ErrorCode.ARG, "seed " + seed + " is outside -1 ... 4294967295");
    }
    check(BankmlNative.sampler_set_seed(s, seed & 0xFFFFFFFFL));
  }

  /**
   * Lends scratch memory. Samplers that one thread uses may share it.
   *
   * @param workspace the memory, for {@link #nVocab} tokens or more; null = back to the sampler's own
   * @throws InvalidArgumentException if it is for fewer tokens
   */
  public synchronized void useWorkspace(Workspace workspace) {
    long s = enter();
    LongToIntFunction use = w -> BankmlNative.sampler_use_workspace(s, w);
    check(workspace == null ? use.applyAsInt(0) : workspace.with(use::applyAsInt));
  }

  // ---- What it is and did

  /**
   * The steps of the chain that are on.
   *
   * @return their names in order; unmodifiable
   */
  public List<String> steps() {
    return texts(BankmlNative::sampler_step_name);
  }

  /**
   * The opening that draws take.
   *
   * @return "plain", or the name of a fast path
   */
  public String planName() {
    return Texts.text(with(BankmlNative::sampler_plan_name));
  }

  /**
   * What the construction had to say: a bias outside the vocabulary, a step configured but not listed.
   *
   * @return one text each; unmodifiable
   */
  public List<String> warnings() {
    return texts(BankmlNative::sampler_warning);
  }

  /**
   * Native memory of this sampler, without vocabulary and lent workspace.
   *
   * @return bytes
   */
  public long bytes() {
    return with(BankmlNative::sampler_bytes);
  }

  /**
   * Counters since construction or their last reset.
   *
   * @return their values now
   */
  public Perf perf() {
    return perf(false);
  }

  /**
   * Counters since construction or their last reset.
   *
   * @param reset true: they start at 0 again after this call
   * @return their values now
   */
  public synchronized Perf perf(boolean reset) {
    ByteBuffer c = copies.room(11 * 8);
    check(BankmlNative.java_perf(enter(), c, reset ? 1 : 0));
    return new Perf(c.getLong(0), c.getLong(8), c.getLong(16), c.getLong(24), c.getLong(32), c.getLong(40), c.getLong(48),
        c.getLong(56), c.getLong(64), c.getDouble(72), c.getDouble(80));
  }

  /**
   * Whether draws and accepts are timed, for {@link #perf}. Default off.
   *
   * @param on true: time them
   */
  public synchronized void clock(boolean on) {
    check(BankmlNative.sampler_clock(enter(), on ? 1 : 0));
  }

  /** Gives the memory back; waits for a running call. Closing twice is fine. */
  @Override
  public synchronized void close() {
    claim.awaitFree();
    handle.close();
  }

  // ---- For batches, which have many samplers at once and so cannot hold a monitor of each

  /** Its place in the one order in which all batches take samplers, so that they never wait for each other in a ring. */
  long number() {
    return number;
  }

  /** Keeps every other call out, {@link #close} too, until {@link #give}. */
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

  /** The exception for the last draw of whoever has taken it. */
  RuntimeException failure(int status) {
    return Failures.of(status, Texts.text(BankmlNative.sampler_error(handle.get())));
  }

  /** The pointer for a call, which begins with this, under the lock: waiting for a batch gives up the lock. */
  private long enter() {
    claim.awaitFree();
    return handle.get();
  }

  // ---- Results and checks. Each ends a native call, so the fence after it stands here.

  private void check(int status) {
    Reference.reachabilityFence(this);
    if (status != 0) {
      throw failure(status);
    }
  }

  /** The token or count of status << 32 | value. */
  private int low(long packed) {
    check((int) (packed >>> 32));
    return (int) packed;
  }

  private static boolean isTooSmall(long packed) {
    return (int) (packed >>> 32) == BankmlNative.BANKML_BUFFER;
  }

  private synchronized <T> T with(LongFunction<T> call) {
    try {
      return call.apply(enter());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private interface TextAt {
    byte[] get(long s, long i);
  }

  private List<String> texts(TextAt source) {
    return with(s -> {
      List<String> list = new ArrayList<>();
      for (byte[] text; (text = source.get(s, list.size())) != null; ) {
        list.add(Texts.text(text));
      }
      return List.copyOf(list);
    });
  }

  private FloatBuffer row(float[] logits, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, logits.length);
    return copies.copy(logits, offset, requireRow(length));
  }

  private int requireRow(int n) {
    if (n != nVocab) {
      throw new InvalidArgumentException(ErrorCode.LENGTH, "logits: " + n + " values, the sampler's n_vocab is " + nVocab);
    }
    return n;
  }

  private static void requireSameLength(int ids, int logits) {
    if (ids != logits) {
      throw new InvalidArgumentException(ErrorCode.LENGTH, "ids and logits: " + ids + " of one, " + logits + " of the other");
    }
  }

  private static void requireNotNegative(int nTop) {
    if (nTop < 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, "nTop " + nTop + " is negative");
    }
  }
}
