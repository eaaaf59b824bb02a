package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.util.function.LongFunction;

/**
 * Scratch memory for chains that order the whole vocabulary, about 24 bytes per token. The samplers that one thread uses can share
 * one: {@link Sampler#useWorkspace}. A sampler that uses it keeps its memory alive, also after {@link #close}.
 */
public final class Workspace implements AutoCloseable {
  private final Handle handle;

  /**
   * A workspace for vocabularies of a size.
   *
   * @param nVocab the largest number of tokens, 1 or more
   * @throws InvalidArgumentException if it is less
   */
  public Workspace(int nVocab) {
    NativeLoader.load();
    if (nVocab < 0) {
      throw new InvalidArgumentException(ErrorCode.ARG, "nVocab " + nVocab + " is negative");
    }
    byte[] error = new byte[Texts.ERROR_BYTES];
    long w = BankmlNative.workspace_new(nVocab, error);
    if (w == 0) {
      throw Failures.ofConstructor(error);
    }
    handle = new Handle(this, "workspace", w, BankmlNative::workspace_free, BankmlNative.workspace_bytes(w));
  }

  /**
   * Its size.
   *
   * @return bytes of native memory
   */
  public long bytes() {
    return with(BankmlNative::workspace_bytes);
  }

  /** Runs a native call that may not meet {@link #close}. */
  synchronized <T> T with(LongFunction<T> call) {
    try {
      return call.apply(handle.get());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Gives the memory back, as soon as no sampler uses it. Closing twice is fine. */
  @Override
  public synchronized void close() {
    handle.close();
  }
}
