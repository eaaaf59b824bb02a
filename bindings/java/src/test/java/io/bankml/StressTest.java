package io.bankml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Samplers of their own in many threads give the tokens that one thread gives. */
class StressTest {
  private static final int THREADS = 8;
  private static final int DRAWS = 10_000;
  private static final int VOCAB = 1000;

  private static int[] run(int seed) {
    FloatBuffer row = Rows.direct(Rows.noise(VOCAB, seed));
    int[] tokens = new int[DRAWS];
    try (Params params = Params.builder().seed(seed).repeatPenalty(1.1).frequencyPenalty(0.1).build();
        Sampler sampler = new Sampler(params, VOCAB)) {
      for (int i = 0; i < DRAWS; ++i) {
        tokens[i] = sampler.sample(row);
        sampler.accept(tokens[i]);
      }
    }
    return tokens;
  }

  @Test
  void eight_threads_draw_what_one_draws() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<int[]>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; ++i) {
      int seed = i;
      running.add(threads.submit(() -> run(seed)));
    }
    for (int i = 0; i < THREADS; ++i) {
      assertArrayEquals(run(i), running.get(i).get());
    }
    threads.shutdown();
  }
}
