package io.bankml.probe;

import io.bankml.Batch;
import io.bankml.Params;
import io.bankml.Pool;
import io.bankml.Sampler;
import io.bankml.TokenProbs;
import io.bankml.Vocab;
import io.bankml.Workspace;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * What the integration tests start in a virtual machine of its own. Arguments: "draw" prints ten tokens and what is left in the
 * folder for temporary files; "calls" goes through every kind of native call; "loaders JAR" draws in two class loaders.
 */
public final class Probe {
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "draw" -> {
        System.out.println("tokens " + draw());
        String folder = System.getProperty("bankml.tmpdir");
        System.out.println("left " + (folder == null ? 0 : new File(folder).list().length));
        System.out.println("module " + Sampler.class.getModule().getName());
      }
      case "calls" -> System.out.println("calls " + calls());
      case "loaders" -> System.out.println("loaders " + inLoader(args[1]) + " | " + inLoader(args[1]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Called by name in {@link #inLoader}. */
  public static String draw() {
    StringBuilder tokens = new StringBuilder();
    try (Params params = Params.builder().seed(42).build();
        Sampler sampler = new Sampler(params, 1000)) {
      for (int i = 0; i < 10; ++i) {
        float[] logits = new float[1000];
        for (int k = 0; k < 1000; ++k) {
          logits[k] = (k * 7919 + i * 31) % 1009 / 128.0f;
        }
        int token = sampler.sample(logits);
        sampler.accept(token);
        tokens.append(i == 0 ? "" : " ").append(token);
      }
    }
    return tokens.toString();
  }

  private static String inLoader(String jar) throws Exception {
    URL[] path = {new File(jar).toURI().toURL(), Probe.class.getProtectionDomain().getCodeSource().getLocation()};
    URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
    Method draw = loader.loadClass(Probe.class.getName()).getMethod("draw");
    return (String) draw.invoke(null);
  }

  private static int calls() {
    int done = 0;
    FloatBuffer row = ByteBuffer.allocateDirect(4 * 100).order(ByteOrder.nativeOrder()).asFloatBuffer();
    List<String> pieces = new java.util.ArrayList<>();
    for (int i = 0; i < 100; ++i) {
      pieces.add(i == 5 ? "\uD83E\uDD99" : "p" + i);
    }
    try (Vocab vocab = Vocab.ofTexts(pieces);
        Params params = Params.builder().seed(1).dryMultiplier(1).typicalP(0.9).request("{\"top_k\": 0}").build();
        Workspace workspace = new Workspace(100)) {
      params.toJson();
      params.setJson("logit_bias", "[[\"\uD83E\uDD99\",1]]");
      done += params.openTexts(vocab).size();
      params.answer(0, 5).copy().close();
      done += params.warnings().size() + vocab.piece(5).length + vocab.flags(0) + (int) vocab.fingerprint() % 2;
      try (Sampler sampler = new Sampler(params, vocab)) {
        sampler.useWorkspace(workspace);
        sampler.keep(true);
        for (int i = 0; i < 2000; ++i) {
          sampler.accept(sampler.sample(row));
          sampler.accept(new int[] {i % 100, 1});
          sampler.sampleMasked(row, ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asIntBuffer().put(0, -1));
          sampler.sampleCandidates(new int[] {1, 2}, new float[] {3, 4});
          done += sampler.candidates().size() + sampler.postProbs(3).size();
          TokenProbs probs = sampler.tokenProbs(row, 1, 2);
          done += probs.top().size();
          refused(() -> sampler.sample(new float[3]));
          refused(() -> sampler.accept(1000));
          refused(() -> params.set("nothing", 1));
        }
        try (Sampler copy = sampler.copy();
            Pool pool = new Pool(2, 100)) {
          Batch batch = new Batch();
          batch.add(sampler, row);
          batch.add(copy, new float[100], new int[] {-1, 0, 0, 0});
          for (int i = 0; i < 500; ++i) {
            pool.sample(batch);
            done += pool.threads() + batch.token(0) + batch.token(1);
          }
          copy.reset();
          done += copy.steps().size() + copy.planName().length() + (int) copy.perf(true).draws() + copy.warnings().size();
        }
      }
      refused(() -> new Sampler(params, vocab, 7));
      refused(() -> Vocab.fromGguf(new byte[40]));
    }
    return done;
  }

  private static void refused(Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException e) {
      return;
    }
    throw new AssertionError("was not refused");
  }
}
