package io.bankml.internal;

import io.bankml.ErrorCode;
import io.bankml.InvalidArgumentException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * Direct buffers: the one form in which arrays reach native code. A caller's direct buffer goes there as it is; everything else is
 * copied into a buffer of the object that is called, which grows when it must.
 */
public final class Direct {
  /** The status with which bankml_java.i answers a buffer that no float or int may be read from. */
  static final int MISALIGNED = -1;

  private static final FloatBuffer NO_FLOATS = floats(0);
  private static final IntBuffer NO_INTS = ints(0);
  private static final ByteBuffer NO_BYTES = bytes(0);

  private FloatBuffer floats = NO_FLOATS;
  private IntBuffer ints = NO_INTS;
  private ByteBuffer bytes = NO_BYTES;

  public static ByteBuffer bytes(int n) {
    return ByteBuffer.allocateDirect(n).order(ByteOrder.nativeOrder());
  }

  public static FloatBuffer floats(int n) {
    return bytes(Math.multiplyExact(4, n)).asFloatBuffer();
  }

  public static IntBuffer ints(int n) {
    return bytes(Math.multiplyExact(4, n)).asIntBuffer();
  }

  /**
   * Where element {@code at} of a direct buffer of floats or ints lies, for a table that native code reads. It stays there as long
   * as the buffer is reachable (and its arena open, Java 22).
   */
  public static long address(Buffer direct, int at) {
    long address = BankmlNative.java_base(direct) + 4L * at;
    if (address % 4 != 0) {
      throw Failures.of(MISALIGNED, null);
    }
    return address;
  }

  /** The caller's buffer itself if native code can read it, else a copy whose elements begin at 0. */
  public FloatBuffer readable(String what, FloatBuffer from, int at, int n) {
    if (!from.isDirect()) {
      return copy(from, at, n);
    }
    requireNativeOrder(what, from, from.order());
    if (n > 0) {
      from.get(at); // memory of a closed arena (Java 22) throws here; native code would not notice
    }
    return from;
  }

  public IntBuffer readable(String what, IntBuffer from, int at, int n) {
    if (!from.isDirect()) {
      return copy(from, at, n);
    }
    requireNativeOrder(what, from, from.order());
    if (n > 0) {
      from.get(at);
    }
    return from;
  }

  /** Copies into this object's own buffer, from index 0 on. */
  public FloatBuffer copy(float[] from, int offset, int n) {
    FloatBuffer to = roomForFloats(n);
    to.put(0, from, offset, n);
    return to;
  }

  public FloatBuffer copy(FloatBuffer from, int at, int n) {
    FloatBuffer to = roomForFloats(n);
    to.put(0, from, at, n);
    return to;
  }

  public IntBuffer copy(int[] from, int offset, int n) {
    IntBuffer to = roomForInts(n);
    to.put(0, from, offset, n);
    return to;
  }

  public IntBuffer copy(IntBuffer from, int at, int n) {
    IntBuffer to = roomForInts(n);
    to.put(0, from, at, n);
    return to;
  }

  /** Room for what a call writes, at least {@code n} bytes, aligned to 8. */
  public ByteBuffer room(int n) {
    if (bytes.capacity() < n) {
      bytes = bytes(n);
    }
    return bytes;
  }

  private FloatBuffer roomForFloats(int n) {
    if (floats.capacity() < n) {
      floats = floats(n);
    }
    return floats;
  }

  private IntBuffer roomForInts(int n) {
    if (ints.capacity() < n) {
      ints = ints(n);
    }
    return ints;
  }

  /** For a direct buffer that native code is about to read: another byte order would be read as other numbers without a word. */
  private static void requireNativeOrder(String what, Buffer buffer, ByteOrder order) {
    if (order != ByteOrder.nativeOrder()) {
      throw new InvalidArgumentException(
          ErrorCode.ARG, what + ": the direct buffer has byte order " + order + ", this machine's is " + ByteOrder.nativeOrder()
              + "; call order(ByteOrder.nativeOrder()) on the ByteBuffer before making the view (" + buffer + ")");
    }
  }
}
