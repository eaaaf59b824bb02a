package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shapes in which logits, masks and ids arrive: read in place, copied once, or refused with the remedy. */
class InputsTest {
  private static final float[] ROW = {0.5f, 2, -1, 3.5f, 3};
  private Sampler sampler;

  @BeforeEach
  void make() {
    sampler = Rows.neutral(5, b -> b.temperature(0));
  }

  @AfterEach
  void close() {
    sampler.close();
  }

  @Test
  void a_direct_buffer_is_read_where_it_is() {
    FloatBuffer row = Rows.direct(ROW);
    assertTrue(new Direct().readable("logits", row, 0, 5) == row);
    assertEquals(BankmlNative.java_address(row, 0) + 12, BankmlNative.java_address(row, 3));
    assertEquals(3, sampler.sample(row));
    row.put(0, 9f); // the next draw sees it: nothing was kept
    assertEquals(0, sampler.sample(row));
    assertEquals(0, row.position());
    assertEquals(9f, row.get(0));
  }

  @Test
  void position_and_limit_count() {
    FloatBuffer longer = Rows.direct(9, 9, 0.5f, 2, -1, 3.5f, 3, 9).position(2).limit(7);
    assertEquals(3, sampler.sample(longer));
    assertEquals(2, longer.position());
    assertEquals(3, sampler.sample(longer.slice()));
    assertEquals(3, sampler.sample(longer.asReadOnlyBuffer()));
    IntBuffer mask = Rows.direct(-1, 0b10, -1).position(1);
    assertEquals(1, sampler.sampleMasked(longer, mask));
    assertEquals(4, sampler.sampleCandidates(Rows.direct(7, 2, 4).position(1), Rows.direct(9f, 1f, 2f).position(1)));
    sampler.accept(Rows.direct(99, 1).position(1));
    assertEquals(2, sampler.tokenProbs(longer, 3, 2).top().size());
  }

  @Test
  void heap_buffers_are_copied_in_any_byte_order() {
    assertEquals(3, sampler.sample(FloatBuffer.wrap(ROW)));
    float[] longer = {9, 0.5f, 2, -1, 3.5f, 3, 9};
    assertEquals(3, sampler.sample(FloatBuffer.wrap(longer, 1, 5)));
    assertEquals(3, sampler.sample(FloatBuffer.wrap(longer, 1, 5).slice())); // an array offset of its own
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      assertEquals(3, sampler.sample(ByteBuffer.allocate(20).order(order).asFloatBuffer().put(0, ROW)));
    }
    assertEquals(1, sampler.sampleMasked(FloatBuffer.wrap(ROW), IntBuffer.wrap(new int[] {0, 0b10}, 1, 1)));
    sampler.accept(IntBuffer.wrap(new int[] {1, 2}));
  }

  @Test
  void a_direct_buffer_in_foreign_byte_order_is_refused() {
    ByteOrder foreign = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    FloatBuffer row = ByteBuffer.allocateDirect(20).order(foreign).asFloatBuffer().put(0, ROW);
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> sampler.sample(row));
    assertTrue(e.getMessage().contains("order(ByteOrder.nativeOrder())"), e.getMessage());
    IntBuffer mask = ByteBuffer.allocateDirect(4).order(foreign).asIntBuffer();
    assertThrows(InvalidArgumentException.class, () -> sampler.sampleMasked(Rows.direct(ROW), mask));
  }

  @Test
  void memory_that_is_not_aligned_is_refused() {
    FloatBuffer row = Direct.bytes(24).position(1).slice().order(ByteOrder.nativeOrder()).asFloatBuffer();
    FloatBuffer five = row.limit(5);
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> sampler.sample(five));
    assertTrue(e.getMessage().contains("multiple of 4"), e.getMessage());
    IntBuffer ints = Direct.bytes(24).position(2).slice().order(ByteOrder.nativeOrder()).asIntBuffer().limit(5);
    assertThrows(InvalidArgumentException.class, () -> sampler.sampleMasked(Rows.direct(ROW), ints));
    assertThrows(InvalidArgumentException.class, () -> sampler.sampleCandidates(ints, Rows.direct(ROW)));
    assertThrows(InvalidArgumentException.class, () -> sampler.tokenProbs(five, -1, 1));
    assertThrows(InvalidArgumentException.class, () -> sampler.accept(ints));
  }

  @Test
  void a_wrong_length_is_refused() {
    for (int n : new int[] {0, 1, 4, 6, 1000}) {
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> sampler.sample(new float[n]));
      assertEquals(ErrorCode.LENGTH, e.code());
      assertTrue(e.getMessage().contains(n + " values") && e.getMessage().contains("5"), e.getMessage());
      assertThrows(InvalidArgumentException.class, () -> sampler.sample(Rows.direct(new float[n])));
      assertThrows(InvalidArgumentException.class, () -> sampler.sample(FloatBuffer.allocate(n)));
      assertThrows(InvalidArgumentException.class, () -> sampler.tokenProbs(new float[n], -1, 1));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> sampler.sample(new float[9], 5, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> sampler.sample(new float[9], -1, 5));
    assertThrows(NullPointerException.class, () -> sampler.sample((float[]) null));
    assertThrows(NullPointerException.class, () -> sampler.sample((FloatBuffer) null));
    assertEquals(3, sampler.sample(ROW));
  }

  @Test
  void not_a_number_and_infinity() {
    for (float bad : new float[] {Float.NaN, Rows.INF}) {
      float[] row = ROW.clone();
      row[1] = bad;
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> sampler.sample(row));
      assertEquals(ErrorCode.NONFINITE, e.code());
      assertThrows(InvalidArgumentException.class, () -> sampler.tokenProbs(row, -1, 1));
      assertEquals(3, sampler.sampleMasked(row, new int[] {0b11101})); // a forbidden token may be anything
    }
    assertEquals(3, sampler.sample(ROW));
  }

  @Test
  void no_token_left() {
    float[] row = {-Rows.INF, -Rows.INF, -Rows.INF, -Rows.INF, -Rows.INF};
    NoLegalTokenException e = assertThrows(NoLegalTokenException.class, () -> sampler.sample(row));
    assertEquals(ErrorCode.NO_CANDIDATE, e.code());
    assertThrows(NoLegalTokenException.class, () -> sampler.sample(Rows.direct(row)));
  }

  @Test
  void rows_are_not_written() {
    float[] row = ROW.clone();
    FloatBuffer direct = Rows.direct(ROW);
    try (Sampler all = Rows.neutral(5, b -> b.presencePenalty(1).xtcProbability(1).typicalP(0.9))) {
      all.accept(3);
      all.sample(row);
      all.sample(direct);
    }
    for (int i = 0; i < 5; ++i) {
      assertEquals(ROW[i], row[i]);
      assertEquals(ROW[i], direct.get(i));
    }
    assertNotEquals(0, BankmlNative.java_address(direct, 0));
  }
}
