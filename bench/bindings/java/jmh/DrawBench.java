package io.bankml.jmh;

import io.bankml.Params;
import io.bankml.Sampler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Draws from a row of eight, where the call is nearly all, in every shape in which a row may come. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class DrawBench {
  private final float[] array = {8, 0, 1, 2, -1, -2, 8.5f, 3};
  private FloatBuffer direct;
  private FloatBuffer later;
  private IntBuffer mask;
  private Sampler sampler;

  @Setup
  public void open() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    direct = bytes.asFloatBuffer().put(0, array).limit(8);
    later = bytes.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer().put(8, array).position(8);
    mask = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()).asIntBuffer().put(0, -1);
    try (Params params = Params.builder().seed(1).build()) {
      sampler = new Sampler(params, 8);
    }
  }

  @TearDown
  public void close() {
    sampler.close();
  }

  @Benchmark
  public int direct() {
    return sampler.sample(direct);
  }

  @Benchmark
  public int directWithPosition() {
    return sampler.sample(later);
  }

  @Benchmark
  public int array() {
    return sampler.sample(array);
  }

  @Benchmark
  public int masked() {
    return sampler.sampleMasked(direct, mask);
  }

  @Benchmark
  public int sampleAndAccept() {
    int token = sampler.sample(direct);
    sampler.accept(token);
    return token;
  }
}
