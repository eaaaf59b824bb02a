package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;

/**
 * The token texts ("pieces") of a model, for steps that need them: DRY's breakers given as text, infill, {@code ignore_eos}, biases
 * on texts. Immutable; any number of threads and samplers may share one, at the same time. A sampler keeps its vocabulary's memory
 * alive, also after {@link #close}.
 */
public final class Vocab implements AutoCloseable {
  /** Flag of a token: special, its piece is not text of the model's output. */
  public static final int CONTROL = BankmlNative.BANKML_TOKEN_CONTROL;

  /** Flag of a token: it ends generation. */
  public static final int EOG = BankmlNative.BANKML_TOKEN_EOG;

  /** Flag of a token: it stands for one byte. */
  public static final int BYTE = BankmlNative.BANKML_TOKEN_BYTE;

  /** Flag of a token: added by the user of the model. */
  public static final int USER_DEFINED = BankmlNative.BANKML_TOKEN_USER_DEFINED;

  /** Flag of a token: unused. */
  public static final int UNUSED = BankmlNative.BANKML_TOKEN_UNUSED;

  /** Flag of a token: stands for what has no token. */
  public static final int UNKNOWN = BankmlNative.BANKML_TOKEN_UNKNOWN;

  /** Calls of many threads may run together, but none together with close. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private final Handle handle;

  private Vocab(long v, byte[] error) {
    if (v == 0) {
      throw Failures.ofConstructor(error);
    }
    handle = new Handle(this, "vocabulary", v, BankmlNative::vocab_free, 64 * BankmlNative.vocab_size(v));
  }

  /**
   * A vocabulary of pieces without flags and end tokens.
   *
   * @param pieces the bytes of each token, token 0 first; copied
   * @return the vocabulary
   */
  public static Vocab of(List<byte[]> pieces) {
    return of(pieces, null, -1, -1);
  }

  /**
   * A vocabulary of pieces.
   *
   * @param pieces the bytes of each token, token 0 first; copied
   * @param flags one number per token, made of {@link #CONTROL}, {@link #EOG} and the others; null = no flags
   * @param eos the end-of-sequence token, -1 if none
   * @param eot the end-of-turn token, -1 if none
   * @return the vocabulary
   * @throws InvalidArgumentException if the flags are not as many as the pieces, or a token is out of range
   */
  public static Vocab of(List<byte[]> pieces, int[] flags, int eos, int eot) {
    NativeLoader.load();
    int n = pieces.size();
    if (flags != null && flags.length != n) {
      throw new InvalidArgumentException(ErrorCode.LENGTH, "flags: " + flags.length + " of them for " + n + " pieces");
    }
    long size = 0;
    for (byte[] piece : pieces) {
      size += piece.length;
    }
    if (size > Integer.MAX_VALUE) {
      throw new InvalidArgumentException(ErrorCode.ARG, "pieces: " + size + " bytes together, the limit is " + Integer.MAX_VALUE);
    }
    ByteBuffer bytes = Direct.bytes((int) size);
    LongBuffer offsets = Direct.bytes(Math.multiplyExact(8, n + 1)).asLongBuffer();
    for (byte[] piece : pieces) {
      offsets.put(bytes.position());
      bytes.put(piece);
    }
    offsets.put(bytes.position());
    IntBuffer words = flags == null ? null : Direct.ints(n).put(0, flags);
    byte[] error = new byte[Texts.ERROR_BYTES];
    return new Vocab(BankmlNative.java_vocab_new(bytes, offsets, words, n, eos, eot, error), error);
  }

  /**
   * A vocabulary of texts, without flags and end tokens.
   *
   * @param pieces the text of each token, token 0 first
   * @return the vocabulary
   */
  public static Vocab ofTexts(List<String> pieces) {
    return of(pieces.stream().map(Texts::utf8).toList());
  }

  /**
   * The vocabulary of a GGUF model file (SentencePiece or byte-level BPE). Tensors are not read.
   *
   * @param path the file
   * @return the vocabulary
   * @throws InvalidArgumentException if the file cannot be read, or has no such vocabulary
   */
  public static Vocab fromGguf(Path path) {
    NativeLoader.load();
    byte[] error = new byte[Texts.ERROR_BYTES];
    return new Vocab(BankmlNative.vocab_from_gguf(Texts.zeroTerminated(path), error), error);
  }

  /**
   * The vocabulary of a GGUF model file in memory.
   *
   * @param file the file's bytes, at least up to the end of its metadata; copied
   * @return the vocabulary
   * @throws InvalidArgumentException if the bytes are no GGUF, or hold no vocabulary
   */
  public static Vocab fromGguf(byte[] file) {
    return fromGguf(ByteBuffer.wrap(file));
  }

  /**
   * The vocabulary of a GGUF model file in memory, for instance one that is mapped.
   *
   * @param file the file's bytes from position to limit, which do not change; a direct buffer is read in place
   * @return the vocabulary
   * @throws InvalidArgumentException if the bytes are no GGUF, or hold no vocabulary
   */
  public static Vocab fromGguf(ByteBuffer file) {
    NativeLoader.load();
    ByteBuffer direct = direct(file);
    byte[] error = new byte[Texts.ERROR_BYTES];
    return new Vocab(BankmlNative.java_vocab_from_gguf(direct, direct.position(), direct.remaining(), error), error);
  }

  /** The same bytes in a direct buffer, position and limit around them. */
  static ByteBuffer direct(ByteBuffer file) {
    return file.isDirect() ? file.duplicate() : Direct.bytes(file.remaining()).put(file.duplicate()).flip();
  }

  /**
   * The number of tokens.
   *
   * @return 1 or more
   */
  public int size() {
    return with(v -> (int) BankmlNative.vocab_size(v));
  }

  /**
   * The bytes of a token; special tokens are rendered as their text.
   *
   * @param token its id
   * @return a copy; not always valid UTF-8
   * @throws InvalidArgumentException if the token is outside the vocabulary
   */
  public byte[] piece(int token) {
    byte[] bytes = with(v -> BankmlNative.java_piece(v, token));
    if (bytes == null) {
      throw noToken(token);
    }
    return bytes;
  }

  /**
   * The flags of a token.
   *
   * @param token its id
   * @return {@link #CONTROL}, {@link #EOG} and the others, added
   * @throws InvalidArgumentException if the token is outside the vocabulary
   */
  public int flags(int token) {
    long packed = with(v -> BankmlNative.java_flags(v, token));
    if (packed >>> 32 != 0) {
      throw noToken(token);
    }
    return (int) packed;
  }

  private InvalidArgumentException noToken(int token) {
    return new InvalidArgumentException(ErrorCode.TOKEN, "token " + token + " is outside the vocabulary of " + size() + " tokens");
  }

  /**
   * Whether a token ends generation.
   *
   * @param token its id
   * @return true if it has the flag {@link #EOG}
   * @throws InvalidArgumentException if the token is outside the vocabulary
   */
  public boolean isEog(int token) {
    return (flags(token) & EOG) != 0;
  }

  /**
   * The end-of-sequence token.
   *
   * @return its id, -1 if there is none
   */
  public int eos() {
    return with(BankmlNative::vocab_eos);
  }

  /**
   * The end-of-turn token.
   *
   * @return its id, -1 if there is none
   */
  public int eot() {
    return with(BankmlNative::vocab_eot);
  }

  /**
   * The begin-of-sequence token.
   *
   * @return its id, -1 if there is none
   */
  public int bos() {
    return with(BankmlNative::vocab_bos);
  }

  /**
   * A hash of pieces and flags: equal vocabularies have equal fingerprints, on every platform.
   *
   * @return 64 bits
   */
  public long fingerprint() {
    return with(BankmlNative::vocab_fingerprint);
  }

  /**
   * How often DRY's breakers were prepared by scanning the pieces: once per list of breakers.
   *
   * @return 0 or more
   */
  public long breakerScans() {
    return with(BankmlNative::vocab_breaker_scans);
  }

  /**
   * The tokens of a short text, for SentencePiece vocabularies from GGUF only: no specials, the vocabulary's space prefix rule.
   *
   * @param text the text
   * @return its tokens
   * @throws InvalidArgumentException for any other vocabulary
   */
  public int[] tokenize(String text) {
    return tokenize(Texts.utf8(text));
  }

  /**
   * The tokens of a short text, as {@link #tokenize(String)}.
   *
   * @param text the text's bytes
   * @return its tokens
   * @throws InvalidArgumentException for any other vocabulary
   */
  public int[] tokenize(byte[] text) {
    IntBuffer room = Direct.ints(text.length + 1);
    long packed = with(v -> BankmlNative.java_tokenize(v, text, room, room.capacity()));
    if ((int) (packed >>> 32) == ErrorCode.BUFFER.value()) {
      IntBuffer more = Direct.ints((int) packed);
      packed = with(v -> BankmlNative.java_tokenize(v, text, more, more.capacity()));
      return tokens(packed, more);
    }
    return tokens(packed, room);
  }

  private static int[] tokens(long packed, IntBuffer room) {
    if (packed >>> 32 != 0) {
      String text = "this vocabulary cannot tokenize: only SentencePiece vocabularies of GGUF files can";
      throw Failures.of((int) (packed >>> 32), text);
    }
    int[] ids = new int[(int) packed];
    room.get(0, ids);
    return ids;
  }

  /** Runs a native call that may not meet {@link #close}. */
  <T> T with(LongFunction<T> call) {
    lock.readLock().lock();
    try {
      return call.apply(handle.get());
    } finally {
      lock.readLock().unlock();
      Reference.reachabilityFence(this);
    }
  }

  /** Gives the memory back, as soon as no sampler uses it. Waits for calls of other threads. Closing twice is fine. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      handle.close();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
