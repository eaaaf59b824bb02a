package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bankml.internal.Direct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A batch draws what single calls draw; each item has its own outcome; what may not be in a batch is refused as a whole. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchTest {
  private static final int VOCAB = 300;
  private static final int WORDS = (VOCAB + 31) / 32;
  private static final List<String> REQUESTS = List.of(
      "{}", "{\"temperature\": 1.5, \"top_k\": 0}", "{\"mirostat\": 2}",
      "{\"repeat_penalty\": 1.3, \"dry_multiplier\": 0.8}", "{\"typical_p\": 0.9, \"top_k\": 0}",
      "{\"xtc_probability\": 0.5, \"xtc_threshold\": 0.05}", "{\"mirostat\": 1}",
      "{\"adaptive_target\": 0.4}", "{\"top_n_sigma\": 1.5, \"top_k\": 0}", "{\"dynatemp_range\": 0.5}",
      "{\"min_p\": 0.2, \"temperature\": 3}", "{\"temperature\": 0}");

  private static List<Sampler> chains() {
    List<Sampler> chains = new ArrayList<>();
    for (int i = 0; i < REQUESTS.size(); ++i) {
      // Drawn in another order than made: the order of the items is not that of the samplers' numbers.
      String request = REQUESTS.get(i);
      try (Params params = Params.builder().request(request).seed(100 + i).build()) {
        params.setJson("dry_sequence_breakers", "[]"); // texts would need a vocabulary
        chains.add(i / 2, new Sampler(params, VOCAB));
      }
    }
    return chains;
  }

  private static void closeAll(List<Sampler> samplers) {
    samplers.forEach(Sampler::close);
  }

  private static int[] words(int number) {
    int[] words = new int[WORDS];
    for (int i = 0; i < WORDS; ++i) {
      words[i] = 0x5A5AF00F * (i + number + 1) | 1;
    }
    return words;
  }

  private static void draw(Pool pool, Batch batch) {
    if (pool == null) {
      batch.sample();
    } else {
      pool.sample(batch);
    }
  }

  /** Four ways of handing in a row, by the item's number: direct or array, with a mask or without. */
  private static void equalsSingleDraws(Pool pool) {
    List<Sampler> batched = chains();
    List<Sampler> single = chains();
    Batch batch = new Batch();
    for (int round = 0; round < 25; ++round) {
      batch.clear();
      for (int i = 0; i < batched.size(); ++i) {
        float[] row = Rows.noise(VOCAB, 100 * round + i);
        int[] mask = words(i);
        int index = switch (i % 4) {
          case 0 -> batch.add(batched.get(i), Rows.direct(row));
          case 1 -> batch.add(batched.get(i), Rows.direct(row), Rows.direct(mask));
          case 2 -> batch.add(batched.get(i), row);
          default -> batch.add(batched.get(i), row, mask);
        };
        assertEquals(i, index);
      }
      assertEquals(batched.size(), batch.size());
      draw(pool, batch);
      for (int i = 0; i < batched.size(); ++i) {
        float[] row = Rows.noise(VOCAB, 100 * round + i);
        int token = i % 2 == 0 ? single.get(i).sample(row) : single.get(i).sampleMasked(row, words(i));
        assertEquals(token, batch.token(i), "round " + round + ", chain " + i);
        assertFalse(batch.failed(i));
        assertNull(batch.error(i));
        single.get(i).accept(token);
        batched.get(i).accept(token);
      }
    }
    for (int i = 0; i < batched.size(); ++i) {
      assertEquals(single.get(i).perf(), batched.get(i).perf());
    }
    closeAll(batched);
    closeAll(single);
  }

  @Test
  void equals_single_draws_on_the_calling_thread() {
    equalsSingleDraws(null);
  }

  @Test
  void equals_single_draws_for_any_number_of_threads() {
    for (int threads : new int[] {1, 2, 3, 4, 16}) {
      for (int nVocab : new int[] {0, VOCAB}) {
        try (Pool pool = new Pool(threads, nVocab)) {
          assertEquals(threads, pool.threads());
          equalsSingleDraws(pool);
        }
      }
    }
    try (Pool pool = new Pool(0, VOCAB)) {
      assertTrue(pool.threads() >= 1);
      equalsSingleDraws(pool);
    }
  }

  @Test
  void direct_rows_and_masks_are_read_in_place_at_each_draw() {
    FloatBuffer rows = Rows.direct(9, 9, 0.5f, 2, -1, 3.5f, 3, 9);
    IntBuffer mask = Rows.direct(0, 0b11111);
    Batch batch = new Batch();
    try (Sampler sampler = Rows.neutral(5, b -> b.temperature(0))) {
      batch.add(sampler, rows.position(2).limit(7), mask.position(1));
      rows.clear(); // the view of the moment counts
      mask.clear();
      batch.sample();
      assertEquals(3, batch.token(0));
      rows.put(3, 8f);
      batch.sample();
      assertEquals(1, batch.token(0));
      mask.put(1, 0b10000);
      batch.sample();
      assertEquals(4, batch.token(0));
      assertEquals(0, rows.position());
      assertEquals(8f, rows.get(3));
    }
  }

  @Test
  void arrays_and_heap_buffers_are_copied_when_they_are_added() {
    float[] row = {0.5f, 2, -1, 3.5f, 3};
    int[] mask = {0b11111};
    Batch batch = new Batch();
    try (Sampler a = Rows.neutral(5, b -> b.temperature(0));
        Sampler b = a.copy()) {
      batch.add(a, row, mask);
      batch.add(b, FloatBuffer.wrap(row), IntBuffer.wrap(mask));
      row[0] = 9;
      mask[0] = 0;
      batch.sample();
      assertEquals(3, batch.token(0));
      assertEquals(3, batch.token(1));
    }
  }

  @Test
  void an_item_that_fails_holds_up_no_other() {
    float[] row = Rows.noise(VOCAB, 1);
    float[] bad = row.clone();
    bad[7] = Float.NaN;
    List<Sampler> samplers = new ArrayList<>();
    for (int i = 0; i < 8; ++i) {
      samplers.add(Rows.seeded(VOCAB, 3));
    }
    Batch batch = new Batch();
    batch.add(samplers.get(0), Rows.direct(row));
    batch.add(samplers.get(1), Rows.direct(bad));
    batch.add(samplers.get(2), new float[VOCAB - 1]);
    batch.add(samplers.get(3), row, new int[WORDS]);
    batch.add(samplers.get(4), row, new int[WORDS - 1]);
    batch.add(samplers.get(5), new float[0], new int[0]);
    batch.add(samplers.get(6), row);
    batch.add(samplers.get(7), Rows.direct(row), null);
    samplers.get(6).close();
    try (Pool pool = new Pool(2, VOCAB)) {
      pool.sample(batch);
      int expected = batch.token(0);
      failed(batch, 1, ErrorCode.NONFINITE, "token 7");
      failed(batch, 2, ErrorCode.LENGTH, "299");
      failed(batch, 4, ErrorCode.LENGTH, "mask");
      failed(batch, 5, ErrorCode.LENGTH, "0");
      assertTrue(batch.failed(3));
      assertSame(batch.error(3), assertThrows(NoLegalTokenException.class, () -> batch.token(3)));
      assertSame(batch.error(6), assertThrows(IllegalStateException.class, () -> batch.token(6)));
      assertEquals("the sampler is closed", batch.error(6).getMessage());
      assertEquals(expected, batch.token(7));
      batch.clear();
      for (int i = 1; i < 6; ++i) { // the failed draws left no trace
        batch.add(samplers.get(i), row);
      }
      pool.sample(batch);
      for (int i = 0; i < 5; ++i) {
        assertEquals(expected, batch.token(i));
      }
    }
    closeAll(samplers);
  }

  private static void failed(Batch batch, int i, ErrorCode code, String part) {
    assertTrue(batch.failed(i));
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> batch.token(i));
    assertSame(batch.error(i), e);
    assertEquals(code, e.code());
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void a_sampler_listed_twice_refuses_the_whole_batch() {
    float[] row = Rows.noise(VOCAB, 1);
    Batch batch = new Batch();
    try (Pool pool = new Pool(2, VOCAB);
        Sampler a = Rows.seeded(VOCAB, 3);
        Sampler b = Rows.seeded(VOCAB, 3);
        Sampler alone = Rows.seeded(VOCAB, 3)) {
      batch.add(b, row);
      batch.add(a, row);
      pool.sample(batch);
      alone.sample(row);
      batch.add(b, row);
      for (Runnable call : List.<Runnable>of(() -> pool.sample(batch), batch::sample)) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, call::run);
        assertEquals(ErrorCode.ARG, e.code());
        assertEquals("items 0 and 2 have the same sampler", e.getMessage());
        assertThrows(IllegalStateException.class, () -> batch.token(0)); // nothing was drawn
      }
      assertEquals(alone.sample(row), a.sample(row)); // nor left taken
      assertEquals(1, b.perf().draws());
    }
  }

  @Test
  void an_empty_batch_and_items_without_an_outcome() {
    Batch batch = new Batch();
    try (Pool pool = new Pool(2, 0);
        Sampler sampler = new Sampler(5)) {
      pool.sample(batch);
      batch.sample();
      assertEquals(0, batch.size());
      assertThrows(IndexOutOfBoundsException.class, () -> batch.token(0));
      batch.add(sampler, new float[5]);
      assertThrows(IllegalStateException.class, () -> batch.token(0));
      assertThrows(IllegalStateException.class, () -> batch.failed(0));
      assertThrows(IllegalStateException.class, () -> batch.error(0));
      assertThrows(IndexOutOfBoundsException.class, () -> batch.failed(1));
      assertThrows(IndexOutOfBoundsException.class, () -> batch.error(-1));
      batch.sample();
      assertTrue(batch.token(0) >= 0);
      batch.clear();
      assertEquals(0, batch.size());
      assertThrows(IndexOutOfBoundsException.class, () -> batch.token(0));
      assertThrows(NullPointerException.class, () -> pool.sample(null));
    }
  }

  @Test
  void what_cannot_be_read_is_refused_when_it_is_added() {
    ByteOrder foreign = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    FloatBuffer turned = ByteBuffer.allocateDirect(20).order(foreign).asFloatBuffer();
    FloatBuffer odd = Direct.bytes(24).position(1).slice().order(ByteOrder.nativeOrder()).asFloatBuffer().limit(5);
    IntBuffer oddMask = Direct.bytes(24).position(2).slice().order(ByteOrder.nativeOrder()).asIntBuffer().limit(5);
    Batch batch = new Batch();
    try (Sampler sampler = new Sampler(5)) {
      assertThrows(InvalidArgumentException.class, () -> batch.add(sampler, turned));
      assertThrows(InvalidArgumentException.class, () -> batch.add(sampler, odd));
      assertThrows(InvalidArgumentException.class, () -> batch.add(sampler, Rows.direct(new float[5]), oddMask));
      assertThrows(NullPointerException.class, () -> batch.add(null, new float[5]));
      assertThrows(NullPointerException.class, () -> batch.add(sampler, (float[]) null));
      assertThrows(NullPointerException.class, () -> batch.add(sampler, (FloatBuffer) null));
      assertEquals(0, batch.size());
    }
  }

  @Test
  void pools_that_cannot_be_made() {
    for (int[] sizes : new int[][] {{-1, 0}, {5000, 0}, {1, -7}}) {
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> new Pool(sizes[0], sizes[1]));
      assertEquals(ErrorCode.ARG, e.code());
      assertTrue(e.getMessage().matches(".*(-1|5000|-7).*"), e.getMessage());
    }
  }
}
