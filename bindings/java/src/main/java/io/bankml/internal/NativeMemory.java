package io.bankml.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps forgotten objects from filling the memory. The collector sees a sampler as a few dozen bytes and knows nothing of the
 * native memory behind it, so a program that forgets to close would grow until something else makes the collector run. Here the
 * native bytes are counted, and when they have doubled since the last look (64 MiB at least) the collector is asked to run, as the
 * JDK itself does for direct buffers. A program that closes what it opens never gets there, unless it really holds that much.
 */
final class NativeMemory {
  private static final long FIRST_LIMIT = 64L << 20;
  /** How long the cleaner gets to catch up, in steps of one millisecond. */
  private static final int PATIENCE = 50;

  private static final AtomicLong HELD = new AtomicLong();
  private static volatile long limit = FIRST_LIMIT;

  private NativeMemory() {}

  static void taken(long bytes) {
    if (HELD.addAndGet(bytes) > limit) {
      collect();
    }
  }

  static void freed(long bytes) {
    HELD.addAndGet(-bytes);
  }

  private static synchronized void collect() {
    long before = HELD.get();
    if (before <= limit) {
      return; // another thread has been here
    }
    System.gc();
    try {
      for (int i = 0; i < PATIENCE && HELD.get() > before / 2; ++i) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    limit = Math.max(FIRST_LIMIT, 2 * HELD.get());
  }
}
