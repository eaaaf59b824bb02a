import io.bankml.Params;
import io.bankml.Sampler;
import io.bankml.Workspace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Many sequences at once, as a server has them: one sampler each, one workspace a thread.
 *
 * <p>Steps that order the whole vocabulary (here: typical) need scratch memory; lending one workspace to all samplers of a thread
 * keeps eight sequences from owning eight. Sequence i uses the seed of the request plus i.
 */
public final class ManySequences {
  private static final int SEQUENCES = 8;
  private static final int TOKENS = 24;

  private static final class Sequence {
    final Sampler sampler;
    final TinyModel.Context context;
    final StringBuilder text = new StringBuilder();

    Sequence(Sampler sampler, TinyModel.Context context) {
      this.sampler = sampler;
      this.context = context;
    }
  }

  public static void main(String[] args) {
    TinyModel model = TinyModel.load();
    List<Sequence> sequences = new ArrayList<>();
    try (Workspace workspace = new Workspace(model.nVocab());
        Params params = Params.builder().topK(0).typicalP(0.9).build()) {
      for (int s = 0; s < SEQUENCES; ++s) {
        Sampler sampler = new Sampler(params.set("seed", 100 + s), model.nVocab());
        sequences.add(new Sequence(sampler, model.context()));
        sampler.useWorkspace(workspace);
      }
      for (int i = 0; i < TOKENS; ++i) {
        for (Sequence s : sequences) {
          int token = s.sampler.sample(s.context.logits());
          s.sampler.accept(token);
          s.text.append(new String(model.piece(token), StandardCharsets.UTF_8));
          s.context.read(token);
        }
      }
      long own = 0;
      for (int s = 0; s < SEQUENCES; ++s) {
        own += sequences.get(s).sampler.bytes();
        System.out.println(s + ": " + sequences.get(s).text.toString().replace('\n', ' '));
      }
      System.err.println(own / SEQUENCES + " bytes a sampler, " + workspace.bytes() + " bytes of workspace shared");
    } finally {
      sequences.forEach(s -> s.sampler.close());
    }
  }
}
