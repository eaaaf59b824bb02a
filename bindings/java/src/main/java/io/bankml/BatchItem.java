package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * One draw of a {@link Batch}: what to read, held so that the collector leaves it alone, and the outcome. Used again after
 * {@link Batch#clear}, with the memory it has for copies.
 */
final class BatchItem {
  /** Size of a {@code bankml_batch_item}; bankml_java.i asserts it and the places below. */
  static final int BYTES = 72;

  private static final int STATUS = 4;
  private static final int TOKEN = 8;
  private static final int RESERVED = 12;
  private static final int SAMPLER = 16;
  private static final int LOGITS = 24;
  private static final int N = 32;
  private static final int WORDS = 40;
  private static final int N_WORDS = 48;
  private static final int GRAMMAR = 56;
  private static final int FLAGS = 64;
  private static final int REDRAWN = 68;

  final int index;
  Sampler sampler;
  /** null = none. */
  Grammar grammar;
  boolean grammarFirst;
  int token;
  boolean redrawn;
  RuntimeException error;

  private final Direct copies = new Direct();
  private FloatBuffer row;
  private int rowAt;
  private int rowLength;
  private long rowAddress;
  private IntBuffer mask;
  private int maskAt;
  private int maskLength;
  private long maskAddress;
  /** Where this item stands in the table of the running draw. */
  private int place;

  BatchItem(int index) {
    this.index = index;
  }

  void set(FloatBuffer logits) {
    int at = logits.position();
    rowLength = Math.max(0, logits.limit() - at);
    row = copies.readable("logits", logits, at, rowLength);
    rowAt = row == logits ? at : 0;
    rowAddress = Direct.address(row, rowAt);
  }

  void set(float[] logits) {
    rowLength = logits.length;
    row = copies.copy(logits, 0, rowLength);
    rowAt = 0;
    rowAddress = Direct.address(row, 0);
  }

  /** {@code words} may be null. */
  void set(IntBuffer words) {
    mask = words;
    maskAddress = 0;
    maskLength = 0;
    if (words != null) {
      int at = words.position();
      maskLength = Math.max(0, words.limit() - at);
      mask = copies.readable("mask", words, at, maskLength);
      maskAt = mask == words ? at : 0;
      maskAddress = Direct.address(mask, maskAt);
    }
  }

  /** {@code words} may be null. */
  void set(int[] words) {
    mask = null;
    maskAddress = 0;
    maskLength = 0;
    if (words != null) {
      maskLength = words.length;
      mask = copies.copy(words, 0, maskLength);
      maskAt = 0;
      maskAddress = Direct.address(mask, 0);
    }
  }

  void clear() {
    sampler = null;
    grammar = null;
    row = null;
    mask = null;
    error = null;
  }

  /** Writes the item at a place of the table; false, with the error, if its sampler or grammar is closed or its memory gone. */
  boolean write(ByteBuffer table, int at) {
    error = null;
    token = -1;
    redrawn = false;
    place = at * BYTES;
    try {
      table.putLong(place + SAMPLER, sampler.pointer());
      table.putLong(place + GRAMMAR, grammar == null ? 0 : grammar.pointer());
      if (rowLength > 0) {
        row.get(rowAt); // memory of a closed arena (Java 22) throws here; native code would not notice
      }
      if (maskLength > 0) {
        mask.get(maskAt);
      }
    } catch (RuntimeException e) {
      error = e;
      return false;
    }
    table.putInt(place, BYTES).putInt(place + RESERVED, 0);
    table.putLong(place + LOGITS, rowAddress).putLong(place + N, rowLength);
    table.putInt(place + FLAGS, grammarFirst ? BankmlNative.BANKML_GRAMMAR_FIRST : 0);
    table.putLong(place + WORDS, maskAddress).putLong(place + N_WORDS, maskLength);
    return true;
  }

  /** Takes the outcome of an item that was written. */
  void read(ByteBuffer table) {
    int status = table.getInt(place + STATUS);
    if (status == 0) {
      token = table.getInt(place + TOKEN);
      redrawn = table.getInt(place + REDRAWN) != 0;
    } else {
      error = sampler.failure(status);
    }
  }
}
