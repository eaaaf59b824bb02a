package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Claim;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Threads for batches, each with scratch memory of its own, so that samplers need none. The calling thread works too; the library
 * has no other threads.
 *
 * <p>One batch at a time: a second thread gets {@link BusyException}. {@link #close} waits for a running batch.
 */
public final class Pool implements AutoCloseable {
  /** About what a thread's scratch memory takes for each token of the vocabulary. */
  private static final long BYTES_PER_TOKEN = 24;

  private final Handle handle;
  private final Claim claim = new Claim(this);

  /**
   * Starts the threads.
   *
   * @param threads how many, the calling one among them, at most 1024; 0 = as many as the machine runs at once
   * @param nVocab the largest number of tokens that their scratch memory is for, about 24 bytes each per thread; 0 = none, samplers
   *     then use their own
   * @throws InvalidArgumentException if one of them is negative or too large, or a thread does not start
   * @throws BankmlException with {@link ErrorCode#NOMEM} if there is no memory
   */
  public Pool(int threads, int nVocab) {
    NativeLoader.load();
    requireNotNegative("threads", threads);
    requireNotNegative("nVocab", nVocab);
    byte[] error = new byte[Texts.ERROR_BYTES];
    long pool = BankmlNative.java_pool_new(threads, nVocab, error);
    if (pool == 0) {
      throw Failures.ofConstructor(error);
    }
    long bytes = BYTES_PER_TOKEN * nVocab * BankmlNative.java_pool_threads(pool);
    handle = new Handle(this, "pool", pool, BankmlNative::java_pool_free, bytes);
  }

  /**
   * How many threads draw, the calling one among them.
   *
   * @return 1 or more
   */
  public synchronized int threads() {
    int threads = BankmlNative.java_pool_threads(handle.get());
    Reference.reachabilityFence(this);
    return threads;
  }

  /**
   * Draws every item of a batch; its outcomes are in the batch afterwards. The tokens are not accepted.
   *
   * @param batch what to draw
   * @throws InvalidArgumentException if a sampler or a grammar is listed twice; nothing is drawn then
   * @throws BusyException if another thread has a batch on this pool; nothing is drawn then
   */
  public void sample(Batch batch) {
    Objects.requireNonNull(batch, "batch");
    long pool = take();
    try {
      batch.sample(pool);
    } finally {
      claim.give();
      Reference.reachabilityFence(this);
    }
  }

  private synchronized long take() {
    long pool = handle.get();
    if (!claim.takeIfFree()) {
      throw new BusyException("the pool is in use by another thread");
    }
    return pool;
  }

  /** Ends the threads and gives the memory back; waits for a running batch. Closing twice is fine. */
  @Override
  public synchronized void close() {
    claim.awaitFree();
    handle.close();
  }

  private static void requireNotNegative(String what, int value) {
    if (value < 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, what + " " + value + " is negative");
    }
  }
}
