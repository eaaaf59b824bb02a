package consumer;

import io.bankml.Bankml;
import io.bankml.Params;
import io.bankml.Sampler;

/** The smallest Java consumer: prints what tests/consumers/main.c prints. */
public final class Main {
  public static void main(String[] args) {
    StringBuilder line = new StringBuilder(Bankml.version() + ":");
    float[] logits = new float[1000];
    try (Params params = Params.builder().seed(42).build();
        Sampler sampler = new Sampler(params, logits.length)) {
      for (int i = 0; i < 10; ++i) {
        for (int k = 0; k < logits.length; ++k) {
          logits[k] = (k * 7919 + i * 31) % 1009 / 128.0f;
        }
        int token = sampler.sample(logits);
        sampler.accept(token);
        line.append(' ').append(token);
      }
    }
    System.out.println(line);
  }
}
