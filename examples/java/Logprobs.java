import io.bankml.Params;
import io.bankml.Sampler;
import io.bankml.TokenProb;
import io.bankml.TokenProbs;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Log-probabilities, as an API reports them: of the drawn token and of the five likeliest, before sampling; and what is left of
 * them after the chain.
 */
public final class Logprobs {
  public static void main(String[] args) {
    TinyModel model = TinyModel.load();
    TinyModel.Context context = model.context();
    try (Params params = Params.builder().seed(3).build();
        Sampler sampler = new Sampler(params, model.nVocab())) {
      sampler.keep(true); // postProbs reads the survivors of the last draw
      context.read(model.tokenize("Once upon a time there was a"));
      for (int i = 0; i < 6; ++i) {
        int token = sampler.sample(context.logits());
        TokenProbs before = sampler.tokenProbs(context.logits(), token, 5);
        List<TokenProb> after = sampler.postProbs(5);
        System.out.printf("%s %.3f%n", shown(model, token), Math.log(before.sampledP()));
        System.out.println("  before:" + line(model, before.top()));
        System.out.println("  after: " + line(model, after));
        sampler.accept(token);
        context.read(token);
      }
    }
  }

  private static String line(TinyModel model, List<TokenProb> entries) {
    StringBuilder line = new StringBuilder();
    for (TokenProb entry : entries) {
      line.append(String.format(" %s %.3f", shown(model, entry.id()), Math.log(entry.p())));
    }
    return line.toString();
  }

  private static String shown(TinyModel model, int token) {
    return "'" + new String(model.piece(token), StandardCharsets.UTF_8).replace("\n", "\\n") + "'";
  }
}
