import io.bankml.Params;
import io.bankml.Sampler;
import io.bankml.Vocab;

/**
 * The generation loop: prompt in, text out, with the sampling defaults that the model's own file asks for.
 *
 * <p>The order matters: the prompt's tokens are accepted first, then every drawn one. Penalties and DRY look at them.
 */
public final class Generate {
  public static void main(String[] args) {
    String prompt = args.length > 0 ? args[0] : "Once upon a time";
    TinyModel model = TinyModel.load();
    TinyModel.Context context = model.context();
    try (Vocab vocab = Vocab.fromGguf(model.gguf());
        Params params = new Params().loadGguf(model.gguf()).set("seed", 42); // general.sampling.*
        Sampler sampler = new Sampler(params, vocab)) {
      int[] tokens = model.tokenize(prompt);
      sampler.accept(tokens);
      context.read(tokens);

      System.out.print(prompt);
      for (int i = 0; i < 120; ++i) {
        int token = sampler.sample(context.logits());
        sampler.accept(token);
        if (vocab.isEog(token)) {
          break;
        }
        System.out.writeBytes(model.piece(token));
        context.read(token);
      }
      System.out.println();
    }
  }
}
