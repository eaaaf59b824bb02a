package io.bankml;

import io.bankml.internal.Direct;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** What the tests share: rows of logits, samplers with nothing truncated, and the same work in many threads. */
final class Rows {
  static final float INF = Float.POSITIVE_INFINITY;

  private Rows() {}

  static FloatBuffer direct(float... values) {
    return Direct.floats(values.length).put(0, values);
  }

  static IntBuffer direct(int... values) {
    return Direct.ints(values.length).put(0, values);
  }

  static float[] flat(int n) {
    return new float[n];
  }

  /** A row without structure, another one for each number. */
  static float[] noise(int n, int number) {
    float[] row = new float[n];
    for (int i = 0; i < n; ++i) {
      row[i] = ((i + 7L * number) * 2654435761L & 0xFFFFFFL) / 3e6f;
    }
    return row;
  }

  /** Everything that truncates is off, seed 7, then what the caller wants. */
  static Sampler neutral(int nVocab, Consumer<ParamsBuilder> more) {
    ParamsBuilder builder = Params.builder().seed(7).topK(0).topP(1).minP(0).temperature(1);
    more.accept(builder);
    try (Params params = builder.build()) {
      return new Sampler(params, nVocab);
    }
  }

  static Sampler neutral(int nVocab) {
    return neutral(nVocab, builder -> {});
  }

  static Sampler seeded(int nVocab, long seed) {
    return neutral(nVocab, builder -> builder.seed(seed));
  }

  /** Draws from these rows, each token accepted. */
  static int[] tokens(Sampler sampler, int count, float[] row) {
    int[] tokens = new int[count];
    for (int i = 0; i < count; ++i) {
      tokens[i] = sampler.sample(row);
      sampler.accept(tokens[i]);
    }
    return tokens;
  }

  /** All start together; the first exception of one is thrown here. Threads that hang do not keep the process. */
  static void inThreads(int n, Runnable body) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(n, work -> {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      return thread;
    });
    List<Future<?>> running = new ArrayList<>();
    CountDownLatch together = new CountDownLatch(n);
    for (int i = 0; i < n; ++i) {
      running.add(threads.submit(() -> {
        together.countDown();
        together.await();
        body.run();
        return null;
      }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    threads.shutdown();
  }
}
