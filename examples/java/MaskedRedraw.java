import io.bankml.Params;
import io.bankml.Sampler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * A constraint of your own: a story without the letter q, x or e. Draw freely, look, and draw again under a mask if the token is
 * not allowed. The redraw is what llama-server does under a grammar: most draws are fine, so building a mask each time is waste.
 */
public final class MaskedRedraw {
  private static boolean allowed(byte[] piece) {
    for (byte b : piece) {
      if ("eEqQxX\n".indexOf(b) >= 0) {
        return false;
      }
    }
    return piece.length > 0;
  }

  public static void main(String[] args) {
    TinyModel model = TinyModel.load();
    int n = model.nVocab();

    // This constraint never changes, so its mask is made once: bit i of word w allows token 32 * w + i.
    int[] words = new int[(n + 31) / 32];
    for (int i = 0; i < n; ++i) {
      if (allowed(model.piece(i))) {
        words[i / 32] |= 1 << i % 32;
      }
    }
    IntBuffer mask = ByteBuffer.allocateDirect(4 * words.length).order(ByteOrder.nativeOrder()).asIntBuffer().put(0, words);

    TinyModel.Context context = model.context();
    int redraws = 0;
    int drawn = 0;
    try (Params params = Params.builder().seed(7).build();
        Sampler sampler = new Sampler(params, n)) {
      System.out.print("text:");
      for (; drawn < 80; ++drawn) {
        int token = sampler.sample(context.logits());
        if ((words[token / 32] >>> token % 32 & 1) == 0) {
          token = sampler.sampleMasked(context.logits(), mask);
          ++redraws;
        }
        sampler.accept(token);
        System.out.writeBytes(model.piece(token));
        context.read(token);
      }
      System.out.println("\n" + drawn + " draws, " + redraws + " of them again");
    }
  }
}
