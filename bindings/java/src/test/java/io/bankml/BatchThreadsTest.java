package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches that meet: on one pool, on one sampler, with close and with the collector. Nobody waits for ever, nothing is damaged. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchThreadsTest {
  @Test
  void a_pool_in_two_threads_is_busy_and_nothing_is_drawn_then() throws Exception {
    int n = 20_000;
    float[] row = Rows.noise(n, 5);
    AtomicInteger busy = new AtomicInteger();
    int[] expected;
    try (Sampler alone = Rows.neutral(n)) {
      expected = Rows.tokens(alone, 60, row);
    }
    // Threads may run one after the other where the machine is busy, so they are started until they meet.
    try (Pool pool = new Pool(2, n)) {
      for (int round = 0; round < 200 && busy.get() == 0; ++round) {
        Rows.inThreads(3, () -> {
          try (Sampler a = Rows.neutral(n);
              Sampler b = Rows.neutral(n)) {
            Batch batch = new Batch();
            batch.add(a, Rows.direct(row));
            batch.add(b, Rows.direct(row));
            for (int expect : expected) {
              for (boolean done = false; !done; ) {
                try {
                  pool.sample(batch);
                  done = true;
                } catch (BusyException e) {
                  assertEquals(ErrorCode.BUSY, e.code());
                  assertTrue(e.getMessage().contains("pool"), e.getMessage());
                  busy.incrementAndGet();
                }
              }
              assertEquals(expect, batch.token(0));
              assertEquals(expect, batch.token(1));
              a.accept(expect);
              b.accept(expect);
            }
          }
        });
      }
    }
    assertTrue(busy.get() > 0, "the threads never met");
  }

  @Test
  void batches_and_single_calls_on_the_same_samplers_take_turns() throws Exception {
    int n = 200;
    int count = 6;
    int each = 400;
    float[] row = Rows.noise(n, 4);
    List<Sampler> samplers = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      samplers.add(Rows.seeded(n, 3));
    }
    AtomicInteger threads = new AtomicInteger();
    Rows.inThreads(4, () -> {
      int self = threads.getAndIncrement();
      Batch batch = new Batch();
      for (int i = 0; i < count; ++i) { // each in an order of its own: with locks in this order they would wait in a ring
        batch.add(samplers.get((self % 2 == 0 ? i : count - i + self) % count), row);
      }
      Thread.currentThread().interrupt(); // waiting is not interruptible
      for (int i = 0; i < each; ++i) {
        batch.sample();
        samplers.get(self).sample(row);
      }
      assertTrue(Thread.interrupted());
    });
    try (Sampler alone = Rows.seeded(n, 3)) {
      for (int i = 0; i < 4 * each; ++i) {
        alone.sample(row);
      }
      try (Sampler later = alone.copy()) {
        assertEquals(later.sample(row), samplers.get(4).sample(row)); // no draw was lost or spoiled
      }
      for (int i = 0; i < each; ++i) {
        alone.sample(row);
      }
      assertEquals(alone.sample(row), samplers.get(0).sample(row)); // with the single draws of one thread
    }
    samplers.forEach(Sampler::close);
  }

  /** Sorting whole vocabularies takes long enough to be met. */
  @Test
  void close_waits_for_a_running_batch() throws Exception {
    int n = 100_000;
    int count = 8;
    FloatBuffer row = Rows.direct(Rows.noise(n, 6));
    int expected;
    try (Sampler alone = Rows.neutral(n, b -> b.typicalP(0.9))) {
      expected = alone.sample(row);
    }
    int met = 0;
    for (int round = 0; round < 6; ++round) {
      Pool pool = new Pool(1 + round % 2, n); // freeing a pool that has threads takes until they end
      List<Sampler> samplers = new ArrayList<>();
      Batch batch = new Batch();
      for (int i = 0; i < count; ++i) {
        samplers.add(Rows.neutral(n, b -> b.typicalP(0.9)));
        batch.add(samplers.get(i), row);
      }
      Thread drawing = new Thread(() -> pool.sample(batch));
      drawing.start();
      boolean seen = false;
      while (drawing.isAlive() && !seen) {
        seen = draws(drawing);
      }
      met += seen ? 1 : 0;
      AutoCloseable first = round % 2 == 0 ? pool : samplers.get(count - 1);
      first.close();
      assertFalse(draws(drawing), "closed under a running batch");
      pool.close();
      samplers.forEach(Sampler::close);
      drawing.join();
      for (int i = 0; i < count; ++i) {
        assertEquals(expected, batch.token(i));
      }
    }
    assertTrue(met > 0, "no close met a batch");
  }

  private static boolean draws(Thread thread) {
    return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("java_batch_sample"));
  }

  @Test
  void collection_leaves_a_batch_alone() {
    int n = 1000;
    float[] row = Rows.noise(n, 2);
    int expected;
    try (Sampler alone = Rows.neutral(n)) {
      expected = alone.sample(row);
    }
    List<byte[]> pressure = new ArrayList<>();
    for (int round = 0; round < 100; ++round) {
      // Nothing holds samplers and rows but the batch, and nothing the pool but the call.
      Batch batch = new Batch();
      for (int i = 0; i < 20; ++i) {
        batch.add(Rows.neutral(n), Rows.direct(row));
      }
      pressure.add(new byte[1 << 20]);
      if (round % 10 == 0) {
        pressure.clear();
        System.gc();
      }
      new Pool(2, n).sample(batch);
      for (int i = 0; i < 20; ++i) {
        assertEquals(expected, batch.token(i));
      }
    }
  }

  @Test
  void collection_while_batches_draw() throws Exception {
    int n = 5000;
    float[] row = Rows.noise(n, 2);
    int expected;
    try (Sampler alone = Rows.neutral(n)) {
      expected = alone.sample(row);
    }
    AtomicInteger running = new AtomicInteger(3);
    Thread collector = new Thread(() -> {
      while (running.get() > 0) {
        System.gc();
      }
    });
    collector.start();
    try {
      Rows.inThreads(3, () -> {
        try {
          for (int round = 0; round < 60; ++round) {
            Batch batch = new Batch();
            for (int i = 0; i < 10; ++i) {
              batch.add(Rows.neutral(n), row);
            }
            new Pool(2, n).sample(batch);
            assertEquals(expected, batch.token(9));
          }
        } finally {
          running.decrementAndGet();
        }
      });
    } finally {
      running.set(0);
      collector.join();
    }
  }
}
