package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.NativeLoader;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Draws for many samplers in one call: the tokens, states and errors of single calls, for any number of threads and any order.
 *
 * <pre>{@code
 * Batch batch = new Batch();
 * for (Sequence s : sequences) {
 *   batch.add(s.sampler, s.logits);
 * }
 * pool.sample(batch); // again after every step of the model: rows in direct buffers are read where they are
 * for (int i = 0; i < batch.size(); ++i) {
 *   sequences.get(i).take(batch.token(i));
 * }
 * }</pre>
 *
 * <p><b>Rows</b> are what {@link Sampler#sample(FloatBuffer)} takes. A direct {@link FloatBuffer} in native byte order is read in
 * place at each draw, from the position to the limit that it had when it was added; a {@code float[]} or any other buffer is copied
 * when it is added, into memory of the batch that the next {@link #clear} leaves for the next items. Masks go by the same rule.
 * Adding, drawing and asking for tokens make no object once the batch has had as many items and rows as large.
 *
 * <p><b>Outcomes.</b> Each item has its own: a token, or the exception that the single call would throw. An item that fails holds
 * up no other, and its sampler is as it was.
 *
 * <p><b>Threads.</b> A batch is for one thread at a time: its methods are synchronized, so a second thread waits. While it draws,
 * other calls on its samplers and grammars wait, {@link Sampler#close} too; so does a second batch with one of them.
 */
public final class Batch {
  private static final int FIRST_ROOM = 8;

  private BatchItem[] items = new BatchItem[FIRST_ROOM];
  /** The same items by the number of their samplers: the order in which they are taken. */
  private BatchItem[] byNumber = new BatchItem[FIRST_ROOM];
  /** Those with a grammar, by its number: taken after all samplers. */
  private BatchItem[] byGrammar = new BatchItem[FIRST_ROOM];
  private int nGrammars;
  private ByteBuffer table = Direct.bytes(FIRST_ROOM * BatchItem.BYTES);
  private int size;
  /** How many items have an outcome. */
  private int drawn;

  /**
   * A batch without items. It owns no native handle and needs no closing.
   *
   * @throws NativeLibraryException if the native library cannot be loaded
   */
  public Batch() {
    NativeLoader.load();
  }

  /**
   * Adds a draw.
   *
   * @param sampler whose; once in a batch
   * @param logits its {@link Sampler#nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @return the item's number, for {@link #token}
   * @throws InvalidArgumentException for a direct buffer in foreign byte order or not aligned to 4 bytes; nothing is added then
   */
  public int add(Sampler sampler, FloatBuffer logits) {
    return add(sampler, logits, null);
  }

  /**
   * Adds a draw under a mask.
   *
   * @param sampler whose; once in a batch
   * @param logits its {@link Sampler#nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @param mask as for {@link Sampler#sampleMasked(FloatBuffer, IntBuffer)}; zero-copy if direct and in native order; null = none
   * @return the item's number, for {@link #token}
   * @throws InvalidArgumentException for a direct buffer in foreign byte order or not aligned to 4 bytes; nothing is added then
   */
  public synchronized int add(Sampler sampler, FloatBuffer logits, IntBuffer mask) {
    Objects.requireNonNull(sampler, "sampler");
    Objects.requireNonNull(logits, "logits");
    BatchItem item = next();
    item.set(logits);
    item.set(mask);
    return append(item, sampler);
  }

  /**
   * Adds a draw, as {@link #add(Sampler, FloatBuffer)}.
   *
   * @param sampler whose; once in a batch
   * @param logits its {@link Sampler#nVocab} values; copied once, now
   * @return the item's number, for {@link #token}
   */
  public int add(Sampler sampler, float[] logits) {
    return add(sampler, logits, null);
  }

  /**
   * Adds a draw under a mask, as {@link #add(Sampler, FloatBuffer, IntBuffer)}.
   *
   * @param sampler whose; once in a batch
   * @param logits its {@link Sampler#nVocab} values; copied once, now
   * @param mask ceil(nVocab / 32) words or more; copied once, now; null = none
   * @return the item's number, for {@link #token}
   */
  public synchronized int add(Sampler sampler, float[] logits, int[] mask) {
    Objects.requireNonNull(sampler, "sampler");
    Objects.requireNonNull(logits, "logits");
    BatchItem item = next();
    item.set(logits);
    item.set(mask);
    return append(item, sampler);
  }

  /**
   * Adds a draw under a grammar, which is not advanced.
   *
   * @param sampler whose; once in a batch
   * @param logits its {@link Sampler#nVocab} float32 from position to limit; zero-copy if direct and in native order
   * @param grammar what is allowed; once in a batch
   * @param grammarFirst as for {@link Sampler#sampleConstrained(FloatBuffer, Grammar, boolean)}
   * @return the item's number, for {@link #token} and {@link #redrawn}
   * @throws InvalidArgumentException for a direct buffer in foreign byte order or not aligned to 4 bytes; nothing is added then
   */
  public synchronized int addConstrained(Sampler sampler, FloatBuffer logits, Grammar grammar, boolean grammarFirst) {
    Objects.requireNonNull(sampler, "sampler");
    Objects.requireNonNull(logits, "logits");
    BatchItem item = next();
    item.set(logits);
    return append(item, sampler, grammar, grammarFirst);
  }

  /**
   * Adds a draw under a grammar, as {@link #addConstrained(Sampler, FloatBuffer, Grammar, boolean)}.
   *
   * @param sampler whose; once in a batch
   * @param logits its {@link Sampler#nVocab} values; copied once, now
   * @param grammar what is allowed; once in a batch
   * @param grammarFirst as for {@link Sampler#sampleConstrained(FloatBuffer, Grammar, boolean)}
   * @return the item's number, for {@link #token} and {@link #redrawn}
   */
  public synchronized int addConstrained(Sampler sampler, float[] logits, Grammar grammar, boolean grammarFirst) {
    Objects.requireNonNull(sampler, "sampler");
    Objects.requireNonNull(logits, "logits");
    BatchItem item = next();
    item.set(logits);
    return append(item, sampler, grammar, grammarFirst);
  }

  private int append(BatchItem item, Sampler sampler, Grammar grammar, boolean grammarFirst) {
    item.set((int[]) null);
    item.grammar = Objects.requireNonNull(grammar, "grammar");
    item.grammarFirst = grammarFirst;
    int at = nGrammars++;
    for (; at > 0 && byGrammar[at - 1].grammar.number() > grammar.number(); --at) {
      byGrammar[at] = byGrammar[at - 1];
    }
    byGrammar[at] = item;
    return append(item, sampler);
  }

  /**
   * How many draws were added.
   *
   * @return 0 or more
   */
  public synchronized int size() {
    return size;
  }

  /** Takes all items out. Their memory for copies stays. */
  public synchronized void clear() {
    for (int i = 0; i < size; ++i) {
      items[i].clear();
    }
    size = 0;
    nGrammars = 0;
    drawn = 0;
  }

  /**
   * Draws every item on the calling thread; {@link Pool#sample} does it on several. The tokens are not accepted.
   *
   * @throws InvalidArgumentException if a sampler or a grammar is listed twice; nothing is drawn then
   */
  public void sample() {
    sample(0);
  }

  /**
   * The token that an item drew.
   *
   * @param i the item's number
   * @return its token
   * @throws InvalidArgumentException as {@link Sampler#sample(FloatBuffer)} of this item; it is {@link #error} of the item
   * @throws NoLegalTokenException likewise
   * @throws BusyException likewise
   * @throws IllegalStateException if the item was not drawn yet, or its sampler was closed before
   * @throws IndexOutOfBoundsException if there is no such item
   */
  public synchronized int token(int i) {
    BatchItem item = drawn(i);
    if (item.error != null) {
      throw item.error;
    }
    return item.token;
  }

  /**
   * Whether an item drew twice, because its first draw did not fit its grammar.
   *
   * @param i the item's number
   * @return false without a grammar, and if the item has an error
   * @throws IllegalStateException if the item was not drawn yet
   * @throws IndexOutOfBoundsException if there is no such item
   */
  public synchronized boolean redrawn(int i) {
    return drawn(i).redrawn;
  }

  /**
   * Whether an item has an error instead of a token.
   *
   * @param i the item's number
   * @return true if {@link #token} would throw
   * @throws IllegalStateException if the item was not drawn yet
   * @throws IndexOutOfBoundsException if there is no such item
   */
  public synchronized boolean failed(int i) {
    return drawn(i).error != null;
  }

  /**
   * Why an item has no token.
   *
   * @param i the item's number
   * @return what {@link #token} would throw; null if it drew
   * @throws IllegalStateException if the item was not drawn yet
   * @throws IndexOutOfBoundsException if there is no such item
   */
  public synchronized RuntimeException error(int i) {
    return drawn(i).error;
  }

  private BatchItem drawn(int i) {
    Objects.checkIndex(i, size);
    if (i >= drawn) {
      throw new IllegalStateException("item " + i + " was not drawn yet");
    }
    return items[i];
  }

  /** The item after the last, not counted yet. */
  private BatchItem next() {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
      byNumber = Arrays.copyOf(byNumber, 2 * size);
      byGrammar = Arrays.copyOf(byGrammar, 2 * size);
      table = Direct.bytes(Math.multiplyExact(items.length, BatchItem.BYTES));
    }
    if (items[size] == null) {
      items[size] = new BatchItem(size);
    }
    return items[size];
  }

  private int append(BatchItem item, Sampler sampler) {
    item.sampler = sampler;
    int at = size;
    for (; at > 0 && byNumber[at - 1].sampler.number() > sampler.number(); --at) {
      byNumber[at] = byNumber[at - 1];
    }
    byNumber[at] = item;
    return size++;
  }

  /** {@code pool}: the native pool, in use by nobody else and not closed before the end; 0 = none. */
  synchronized void sample(long pool) {
    drawn = 0;
    requireDistinct();
    int taken = 0;
    int takenGrammars = 0;
    try {
      for (; taken < size; ++taken) {
        byNumber[taken].sampler.take();
      }
      for (; takenGrammars < nGrammars; ++takenGrammars) {
        byGrammar[takenGrammars].grammar.take();
      }
      draw(pool);
      drawn = size;
    } finally {
      while (takenGrammars > 0) {
        byGrammar[--takenGrammars].grammar.give();
      }
      while (taken > 0) {
        byNumber[--taken].sampler.give();
      }
      Reference.reachabilityFence(this);
    }
  }

  private void draw(long pool) {
    int n = 0;
    for (int i = 0; i < size; ++i) {
      n += items[i].write(table, n) ? 1 : 0;
    }
    int status = BankmlNative.java_batch_sample(pool, table, n);
    if (status != 0) {
      throw Failures.of(status, null);
    }
    for (int i = 0; i < size; ++i) {
      if (items[i].error == null) {
        items[i].read(table);
      }
    }
  }

  private void requireDistinct() {
    for (int i = 1; i < size; ++i) {
      if (byNumber[i - 1].sampler == byNumber[i].sampler) {
        throw new InvalidArgumentException(
            ErrorCode.ARG, "items " + byNumber[i - 1].index + " and " + byNumber[i].index + " have the same sampler");
      }
    }
    for (int i = 1; i < nGrammars; ++i) {
      if (byGrammar[i - 1].grammar == byGrammar[i].grammar) {
        throw new InvalidArgumentException(
            ErrorCode.ARG, "items " + byGrammar[i - 1].index + " and " + byGrammar[i].index + " have the same grammar");
      }
    }
  }
}
