package io.bankml;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;

/** The calls of a generation loop make no objects. */
class AllocationTest {
  private static final int CALLS = 20_000;

  private static void makesNothing(Runnable call) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 1000; ++i) {
      call.run();
    }
    long self = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(self);
    for (int i = 0; i < CALLS; ++i) {
      call.run();
    }
    long bytes = threads.getThreadAllocatedBytes(self) - before;
    // The measure itself makes a few; one object a call would be 16 bytes each.
    assertTrue(bytes < CALLS, bytes + " bytes in " + CALLS + " calls");
  }

  @Test
  void draws_and_accepts() {
    float[] array = Rows.noise(100, 1);
    FloatBuffer direct = Rows.direct(array);
    FloatBuffer later = Rows.direct(Rows.noise(103, 1)).position(3);
    int[] words = {-1, -1, -1, -1};
    IntBuffer mask = Rows.direct(words);
    int[] prompt = {1, 2, 3};
    try (Sampler sampler = new Sampler(100)) {
      makesNothing(() -> sampler.sample(direct));
      makesNothing(() -> sampler.sample(later));
      makesNothing(() -> sampler.sample(array));
      makesNothing(() -> sampler.sample(array, 0, 100));
      makesNothing(() -> sampler.sampleMasked(direct, mask));
      makesNothing(() -> sampler.sampleMasked(array, words));
      makesNothing(() -> sampler.accept(5));
      makesNothing(() -> sampler.accept(prompt));
    }
  }

  @Test
  void grammars() {
    float[] array = Rows.noise(GrammarTest.N, 1);
    FloatBuffer direct = Rows.direct(array);
    int[] words = new int[(GrammarTest.N + 31) / 32];
    IntBuffer mask = Rows.direct(words);
    Batch batch = new Batch();
    try (Sampler sampler = new Sampler(GrammarTest.N);
        Grammar grammar = GrammarTest.grammar("root ::= [a-z]*")) {
      makesNothing(() -> sampler.sampleConstrained(direct, grammar));
      makesNothing(() -> sampler.sampleConstrained(array, grammar, true));
      makesNothing(() -> grammar.mask(words));
      makesNothing(() -> grammar.mask(mask));
      makesNothing(() -> grammar.test('a'));
      makesNothing(() -> {
        grammar.accept('a');
        grammar.rollback(1);
      });
      makesNothing(() -> {
        batch.clear();
        batch.addConstrained(sampler, direct, grammar, false);
        batch.sample();
      });
    }
  }

  @Test
  void batches() {
    float[] array = Rows.noise(100, 1);
    FloatBuffer direct = Rows.direct(array);
    int[] words = {-1, -1, -1, -1};
    IntBuffer mask = Rows.direct(words);
    Batch batch = new Batch();
    try (Pool pool = new Pool(2, 100);
        Sampler a = new Sampler(100);
        Sampler b = new Sampler(100)) {
      batch.add(b, direct, mask);
      batch.add(a, array);
      makesNothing(() -> pool.sample(batch));
      makesNothing(batch::sample);
      makesNothing(() -> batch.token(0));
      makesNothing(() -> {
        batch.clear();
        batch.add(a, direct);
        batch.add(b, array, words);
        pool.sample(batch);
        a.accept(batch.token(0));
      });
    }
  }
}
