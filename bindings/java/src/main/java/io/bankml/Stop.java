package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Ends a text at a stop string, also one that lies over token borders, and says what may be shown before.
 *
 * <pre>{@code
 * try (Stop stop = Stop.ofTexts(List.of("</answer>", "\n\n"))) {
 *   while (stop.matched() < 0 && ...) {
 *     out.write(stop.feed(vocab.piece(token)));
 *   }
 *   out.write(stop.flush()); // what was held back
 * }
 * }</pre>
 *
 * <p>Held back is what may still become a stop string, and a character that is not whole; bytes that are no UTF-8 come out as they
 * are. What comes out depends on the text alone, not on how it is cut into tokens: the stop string that is complete first ends it,
 * of those that end together the longest.
 *
 * <p><b>Threads.</b> Methods are synchronized, so a second thread waits. Copies may be used from different threads at the same time.
 */
public final class Stop implements AutoCloseable {
  /** Flag: the stop string is part of the output. */
  public static final int INCLUDE = BankmlNative.BANKML_STOP_INCLUDE;

  /**
   * Flag: each {@link #feed} is one token, and of the stop strings that it completes the one that begins first counts, of equal
   * beginnings the one listed first, as in llama-server.
   */
  public static final int BY_TOKEN = BankmlNative.BANKML_STOP_BY_TOKEN;

  /** In front of the bytes that a call writes: which stop string has matched. */
  private static final int HEADER = 4;

  private final Handle handle;
  private final Direct copies = new Direct();
  private int matched;

  private Stop(long s, byte[] error, int matched, long bytes) {
    if (s == 0) {
      throw Failures.ofConstructor(error);
    }
    this.matched = matched;
    handle = new Handle(this, "stop strings", s, BankmlNative::stop_free, bytes);
  }

  /**
   * Stop strings of bytes.
   *
   * @param strings none of them empty; copied
   * @param flags {@link #INCLUDE}, {@link #BY_TOKEN}, both or 0
   * @return the stop strings at the start of a text
   * @throws InvalidArgumentException for an empty one
   * @throws BankmlException with {@link ErrorCode#LIMIT} above 65,536 strings or 1 MiB
   */
  public static Stop of(List<byte[]> strings, int flags) {
    NativeLoader.load();
    long size = 0;
    for (byte[] string : strings) {
      size += string.length;
    }
    if (size > Integer.MAX_VALUE) {
      throw new InvalidArgumentException(ErrorCode.ARG, "strings: " + size + " bytes, the limit is " + Integer.MAX_VALUE);
    }
    ByteBuffer bytes = Direct.bytes((int) size);
    LongBuffer offsets = Direct.bytes(Math.multiplyExact(8, strings.size() + 1)).asLongBuffer();
    for (byte[] string : strings) {
      offsets.put(bytes.position());
      bytes.put(string);
    }
    offsets.put(bytes.position());
    byte[] error = new byte[Texts.ERROR_BYTES];
    return new Stop(BankmlNative.java_stop_new(bytes, offsets, strings.size(), flags, error), error, -1, 4096 + 24 * size);
  }

  /**
   * Stop strings of texts, without flags.
   *
   * @param strings none of them empty
   * @return the stop strings at the start of a text
   */
  public static Stop ofTexts(List<String> strings) {
    return of(strings.stream().map(Texts::utf8).toList(), 0);
  }

  /**
   * Independent stop strings at the same place of the text.
   *
   * @return the copy, which the caller closes
   */
  public synchronized Stop copy() {
    byte[] error = new byte[Texts.ERROR_BYTES];
    return with(s -> new Stop(BankmlNative.stop_clone(s, error), error, matched, 4096));
  }

  /**
   * More of the text, such as a token's piece.
   *
   * @param text any bytes
   * @return what may be shown now; nothing more once {@link #matched} is set
   */
  public synchronized byte[] feed(byte[] text) {
    Objects.requireNonNull(text, "text");
    return with(s -> {
      int most = Math.toIntExact(BankmlNative.stop_held(s) + text.length);
      ByteBuffer room = copies.room(Math.addExact(HEADER, most));
      int shown = low(BankmlNative.java_stop_feed(s, text, room, most));
      matched = room.getInt(0);
      return bytes(room, shown);
    });
  }

  /**
   * For the end of a generation; begins anew.
   *
   * @return what was held back; nothing behind a stop string
   */
  public synchronized byte[] flush() {
    return with(s -> {
      int most = (int) BankmlNative.stop_held(s);
      ByteBuffer room = copies.room(HEADER + most);
      int shown = low(BankmlNative.java_stop_flush(s, room, most));
      matched = -1;
      return bytes(room, shown);
    });
  }

  /** Begins anew. */
  public synchronized void reset() {
    with(s -> low((long) BankmlNative.stop_reset(s) << 32));
    matched = -1;
  }

  /**
   * The stop string that ended the text.
   *
   * @return its index, or -1
   */
  public synchronized int matched() {
    return matched;
  }

  /**
   * How much is held back now.
   *
   * @return bytes
   */
  public synchronized int held() {
    return with(s -> (int) BankmlNative.stop_held(s));
  }

  /** Gives the memory back; waits for a running call. Closing twice is fine. */
  @Override
  public synchronized void close() {
    handle.close();
  }

  private int low(long packed) {
    int status = (int) (packed >>> 32);
    if (status != 0) {
      throw Failures.of(status, Texts.text(BankmlNative.stop_error(handle.get())));
    }
    return (int) packed;
  }

  private <T> T with(LongFunction<T> call) {
    try {
      return call.apply(handle.get());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private static byte[] bytes(ByteBuffer room, int n) {
    byte[] bytes = new byte[n];
    room.get(HEADER, bytes);
    return bytes;
  }
}
