package io.bankml.internal;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/**
 * The native object that a Java object owns: freed once, by {@link #close} or, if that was forgotten, after the owner has become
 * unreachable. The owner makes sure that no call runs while it closes; the cleaner runs only when nobody can call any more.
 */
public final class Handle {
  private static final Cleaner CLEANER = Cleaner.create();

  /** Holds everything but the owner, or the owner would stay reachable for ever. */
  private static final class Owned implements Runnable {
    private final LongConsumer free;
    private final long bytes;
    private long pointer;

    Owned(long pointer, LongConsumer free, long bytes) {
      this.pointer = pointer;
      this.free = free;
      this.bytes = bytes;
    }

    @Override
    public void run() {
      free.accept(pointer);
      pointer = 0;
      NativeMemory.freed(bytes);
    }
  }

  private final String name;
  private final Owned owned;
  private final Cleaner.Cleanable cleanable;

  /**
   * @param owner the Java object whose life decides
   * @param name what a text calls it
   * @param pointer not 0
   * @param free the native function that frees it
   * @param bytes about how much native memory it holds
   */
  public Handle(Object owner, String name, long pointer, LongConsumer free, long bytes) {
    this.name = name;
    owned = new Owned(pointer, free, bytes);
    cleanable = CLEANER.register(owner, owned);
    NativeMemory.taken(bytes);
  }

  /** The pointer for a call. Call it, and {@link #close}, under the owner's lock. */
  public long get() {
    long pointer = owned.pointer;
    if (pointer == 0) {
      throw new IllegalStateException("the " + name + " is closed");
    }
    return pointer;
  }

  public void close() {
    cleanable.clean();
  }
}
