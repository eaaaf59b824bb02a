import io.bankml.Grammar;
import io.bankml.Params;
import io.bankml.Sampler;
import io.bankml.Vocab;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A grammar: the model may write nothing but a small JSON object. Draw freely, ask the grammar, and draw again under its mask if the
 * token does not fit: what llama-server does. The grammar is told each token first, then the sampler; an end token ends the text.
 */
public final class Constrained {
  private static final String GBNF = """
      root  ::= "{" ws "\\"title\\": \\"" title "\\"," ws "\\"pet\\": " pet "," ws "\\"age\\": " age ws "}"
      title ::= [A-Z] [a-z]{1,7} (" " [a-z]{1,8}){2,4}
      pet   ::= "\\"cat\\"" | "\\"dog\\"" | "\\"bird\\""
      age   ::= [1-9] [0-9]?
      ws    ::= " "?
      """;

  public static void main(String[] args) {
    TinyModel model = TinyModel.load();
    TinyModel.Context context = model.context();
    int drawn = 0;
    int redraws = 0;
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (Vocab vocab = Vocab.fromGguf(model.gguf());
        Grammar grammar = Grammar.fromGbnf(vocab, GBNF);
        Params params = Params.builder().seed(11).build();
        Sampler sampler = new Sampler(params, vocab)) {
      System.out.println("begins with " + new String(grammar.forced(), StandardCharsets.UTF_8));
      while (true) {
        int token = sampler.sampleConstrained(context.logits(), grammar);
        ++drawn;
        redraws += sampler.redrawn() ? 1 : 0;
        if (vocab.isEog(token)) {
          break;
        }
        grammar.accept(token);
        sampler.accept(token);
        text.writeBytes(model.piece(token));
        context.read(token);
      }
      System.out.println(text.toString(StandardCharsets.UTF_8));
      System.out.println(drawn + " draws, " + redraws + " of them again");
    }
  }
}
