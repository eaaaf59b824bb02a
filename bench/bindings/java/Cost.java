import io.bankml.Params;
import io.bankml.Sampler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * What one draw costs through the Java package, for scripts/bench --bindings: bench/bindings/c/cost.c with the row as a direct
 * buffer and as an array. Prints lines `java KIND V NANOSECONDS`, the median over batches.
 */
public final class Cost {
  private static final int CALLS = 20_000;
  private static int sink;

  public static void main(String[] args) {
    for (int[] size : new int[][] {{151936, 10}, {8, 100}}) {
      int n = size[0];
      int batch = size[1];
      float[] array = row(n);
      FloatBuffer direct = ByteBuffer.allocateDirect(4 * n).order(ByteOrder.nativeOrder()).asFloatBuffer().put(0, array);
      print("direct", n, median(n, batch, sampler -> sampler.sample(direct)));
      print("array", n, median(n, batch, sampler -> sampler.sample(array)));
    }
  }

  private static float[] row(int n) {
    float[] logits = new float[n];
    for (int i = 0; i < n; ++i) {
      logits[i] = (float) ((i * 2654435761L & 0xFFFFFFFFL) >> 8) * (12.0f / 16777216.0f) - 6.0f;
    }
    for (int k = 0; k < 5; ++k) {
      logits[7 * k % n] = 8.0f + 0.5f * k;
    }
    return logits;
  }

  private static double median(int n, int batch, ToIntFunction<Sampler> draw) {
    try (Params params = Params.builder().seed(1).build();
        Sampler sampler = new Sampler(params, n)) {
      // The compiler needs some ten thousand calls of its own before a call costs what it will cost.
      for (int i = 0; i < Math.max(CALLS / 10, 2_000_000 / n); ++i) {
        sink += draw.applyAsInt(sampler);
      }
      double[] times = new double[CALLS / batch];
      for (int b = 0; b < times.length; ++b) {
        long start = System.nanoTime();
        for (int i = 0; i < batch; ++i) {
          sink += draw.applyAsInt(sampler);
        }
        times[b] = (double) (System.nanoTime() - start) / batch;
      }
      Arrays.sort(times);
      return times[times.length / 2];
    }
  }

  private static void print(String kind, int n, double ns) {
    System.out.printf("java %s %d %.1f%n", kind, n, ns);
  }
}
