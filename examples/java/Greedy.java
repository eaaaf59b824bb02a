import io.bankml.Params;
import io.bankml.Sampler;

/** The best token of a row of logits: temperature 0 makes the draw greedy. */
public final class Greedy {
  public static void main(String[] args) {
    float[] logits = {0.5f, 2.0f, -1.0f, 3.5f, 3.0f};
    try (Params params = Params.builder().temperature(0).build();
        Sampler sampler = new Sampler(params, logits.length)) {
      System.out.println("status: ok, token: " + sampler.sample(logits));
    }
  }
}
