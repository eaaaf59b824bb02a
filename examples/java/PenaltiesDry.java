import io.bankml.OpenText;
import io.bankml.Params;
import io.bankml.Sampler;
import io.bankml.Vocab;
import java.util.List;

/**
 * Against repetition: the same prompt drawn greedily without help, with penalties, and with DRY.
 *
 * <p>A request body in llama-server's own format configures each run; DRY's breakers are strings, so the sampler needs the
 * vocabulary. A breaker whose tail needs tokens is listed by openTexts; here the tokenizer of the model answers it.
 */
public final class PenaltiesDry {
  public static void main(String[] args) {
    TinyModel model = TinyModel.load();
    try (Vocab vocab = Vocab.fromGguf(model.gguf())) {
      run(model, vocab, "greedy", "{\"temperature\": 0}");
      run(model, vocab, "penalties", "{\"temperature\": 0, \"repeat_penalty\": 1.3, \"frequency_penalty\": 0.2}");
      run(model, vocab, "dry", "{\"temperature\": 0, \"dry_multiplier\": 0.8, \"dry_sequence_breakers\": [\"\\n\"]}");
    }
  }

  private static void run(TinyModel model, Vocab vocab, String title, String request) {
    String prompt = "\"I have seen the map,\" said the hen.";
    int[] tokens = model.tokenize(prompt);
    TinyModel.Context context = model.context();
    try (Params params = new Params().load(request)) {
      List<OpenText> open = params.openTexts(vocab);
      for (int i = 0; i < open.size(); ++i) {
        params.answer(i, model.tokenize(open.get(i).bytes()));
      }
      try (Sampler sampler = new Sampler(params, vocab)) {
        sampler.accept(tokens);
        context.read(tokens);
        System.out.print(title + ": " + request + "\n  " + prompt);
        for (int i = 0; i < 60; ++i) {
          int token = sampler.sample(context.logits());
          sampler.accept(token);
          if (token == model.eos()) {
            break;
          }
          for (byte b : model.piece(token)) {
            System.out.write(b == '\n' ? ' ' : b);
          }
          context.read(token);
        }
        System.out.println();
      }
    }
  }
}
