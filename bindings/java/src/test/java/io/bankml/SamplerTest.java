package io.bankml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Every public call of a sampler, on rows small enough to know the answer. */
class SamplerTest {
  private static Sampler greedy(int nVocab) {
    return Rows.neutral(nVocab, b -> b.temperature(0));
  }

  @Test
  void a_greedy_draw() {
    try (Sampler sampler = greedy(5)) {
      assertEquals(5, sampler.nVocab());
      assertEquals(3, sampler.sample(new float[] {0.5f, 2, -1, 3.5f, 3}));
      assertEquals(1, sampler.sample(new float[] {9, 9, 0.5f, 2, -1, 0, 1, 9}, 2, 5));
    }
  }

  @Test
  void a_masked_draw() {
    float[] row = {1, 5, 3};
    try (Sampler sampler = greedy(3)) {
      assertEquals(2, sampler.sampleMasked(row, new int[] {0b101}));
      assertEquals(2, sampler.sampleMasked(Rows.direct(row), Rows.direct(0b101)));
      assertEquals(0, sampler.sampleMasked(new float[] {9, 1, 5, 3}, 1, 3, new int[] {0b001, -1}));
      assertThrows(NoLegalTokenException.class, () -> sampler.sampleMasked(row, new int[] {~0b111}));
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> sampler.sampleMasked(row, new int[0]));
      assertEquals(ErrorCode.LENGTH, e.code());
      assertEquals(3, sampler.perf().redraws());
    }
  }

  @Test
  void a_draw_from_candidates() {
    try (Sampler sampler = greedy(100)) {
      assertEquals(70, sampler.sampleCandidates(new int[] {7, 70}, new float[] {1, 2}));
      assertEquals(7, sampler.sampleCandidates(Rows.direct(7, 70), Rows.direct(3f, 2f)));
      assertThrows(NoLegalTokenException.class, () -> sampler.sampleCandidates(new int[0], new float[0]));
      assertEquals(ErrorCode.LENGTH,
          assertThrows(InvalidArgumentException.class, () -> sampler.sampleCandidates(new int[2], new float[1])).code());
      assertEquals(ErrorCode.TOKEN,
          assertThrows(InvalidArgumentException.class, () -> sampler.sampleCandidates(new int[] {7, 7}, new float[2])).code());
    }
  }

  @Test
  void accepted_tokens_count() {
    try (Sampler sampler = Rows.neutral(4, b -> b.temperature(0).presencePenalty(10))) {
      float[] row = {4, 3, 2, 1};
      sampler.accept(0);
      assertEquals(1, sampler.sample(row));
      sampler.accept(new int[] {0, 1});
      sampler.accept(new int[0]);
      assertEquals(2, sampler.sample(row));
      sampler.accept(new int[] {9, 2, 9}, 1, 1);
      assertEquals(3, sampler.sample(row));
      sampler.accept(Rows.direct(3));
      assertEquals(5, sampler.perf().accepts());
    }
  }

  @Test
  void accepting_is_all_or_nothing() {
    try (Sampler sampler = Rows.neutral(4, b -> b.temperature(0).presencePenalty(10))) {
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> sampler.accept(new int[] {0, 4}));
      assertEquals(ErrorCode.TOKEN, e.code());
      assertTrue(e.getMessage().contains("4"), e.getMessage());
      assertThrows(InvalidArgumentException.class, () -> sampler.accept(-1));
      assertThrows(IndexOutOfBoundsException.class, () -> sampler.accept(new int[2], 1, 2));
      assertEquals(0, sampler.sample(new float[] {4, 3, 2, 1}));
    }
  }

  @Test
  void candidates_and_their_probabilities() {
    try (Sampler sampler = Rows.neutral(4, b -> b.topK(2))) {
      assertEquals(ErrorCode.NOT_KEPT, assertThrows(BankmlException.class, sampler::candidates).code());
      sampler.keep(true);
      sampler.sample(new float[] {0, 1, 1, -Rows.INF});
      List<Candidate> kept = sampler.candidates();
      assertEquals(2, kept.size());
      assertEquals(1, kept.get(0).logit());
      assertEquals(0.5f, kept.get(0).p());
      assertEquals(kept.stream().map(c -> new TokenProb(c.id(), c.p())).toList(), sampler.postProbs(9));
      assertEquals(1, sampler.postProbs(1).size());
      assertEquals(List.of(), sampler.postProbs(0));
      assertThrows(IllegalArgumentException.class, () -> sampler.postProbs(-1));
    }
  }

  @Test
  void more_candidates_than_the_first_room() {
    try (Sampler sampler = Rows.neutral(1000)) {
      sampler.keep(true);
      sampler.sample(Rows.noise(1000, 1));
      assertEquals(1000, sampler.candidates().size());
      assertEquals(1000, sampler.postProbs(5000).size());
    }
  }

  @Test
  void raw_probabilities() {
    float[] row = {0, (float) Math.log(3), -Rows.INF};
    try (Sampler sampler = greedy(3)) {
      TokenProbs probs = sampler.tokenProbs(row, 0, 2);
      assertEquals(0.25f, probs.sampledP(), 1e-6f);
      assertEquals(1, probs.top().get(0).id());
      assertEquals(0.75f, probs.top().get(0).p(), 1e-6f);
      assertEquals(probs, sampler.tokenProbs(Rows.direct(row), 0, 2));
      assertEquals(3, sampler.tokenProbs(row, -1, 99).top().size());
      assertEquals(new TokenProbs(0, List.of()), sampler.tokenProbs(row, -1, 0));
      assertEquals(ErrorCode.TOKEN, assertThrows(InvalidArgumentException.class, () -> sampler.tokenProbs(row, 3, 1)).code());
      assertThrows(IllegalArgumentException.class, () -> sampler.tokenProbs(row, 0, -1));
    }
  }

  @Test
  void seeds() {
    try (Sampler sampler = Rows.seeded(1000, 9)) {
      assertEquals(9, sampler.seed());
      int[] first = Rows.tokens(sampler, 20, Rows.flat(1000));
      sampler.seed(9);
      assertArrayEquals(first, Rows.tokens(sampler, 20, Rows.flat(1000)));
      sampler.seed(4294967294L);
      assertEquals(4294967294L, sampler.seed());
      sampler.seed(-1);
      assertNotEquals(4294967295L, sampler.seed());
      assertThrows(IllegalArgumentException.class, () -> sampler.seed(-2));
      assertThrows(IllegalArgumentException.class, () -> sampler.seed(1L << 32));
    }
  }

  @Test
  void what_it_says_about_itself() {
    try (Sampler sampler = new Sampler(1000)) {
      assertTrue(sampler.steps().containsAll(List.of("top_k", "top_p", "min_p", "temperature")), sampler.steps().toString());
      assertTrue(sampler.planName().length() > 0);
      assertTrue(sampler.bytes() > 1000);
      assertEquals(List.of(), sampler.warnings());
    }
    try (Sampler sampler = Rows.neutral(3, b -> b.logitBias(java.util.Map.of(5, 1)))) {
      assertTrue(sampler.warnings().get(0).contains("5"), sampler.warnings().toString());
    }
  }

  @Test
  void counters_and_clock() {
    try (Sampler sampler = Rows.neutral(1000)) {
      sampler.clock(true);
      Rows.tokens(sampler, 10, Rows.noise(1000, 2));
      Perf perf = sampler.perf(true);
      assertEquals(10, perf.draws());
      assertEquals(10, perf.accepts());
      assertTrue(perf.sampleMicros() > 0 && perf.randomOutputs() > 0 && perf.exps() > 0, perf.toString());
      assertEquals(new Perf(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), sampler.perf());
    }
  }

  @Test
  void a_lent_workspace() {
    Workspace workspace = new Workspace(5000);
    try (Workspace small = new Workspace(10);
        Sampler lent = Rows.neutral(5000, b -> b.typicalP(0.9));
        Sampler own = Rows.neutral(5000, b -> b.typicalP(0.9))) {
      assertTrue(workspace.bytes() > 50_000);
      long before = lent.bytes();
      lent.useWorkspace(workspace);
      assertTrue(lent.bytes() < before);
      assertEquals(ErrorCode.LENGTH, assertThrows(InvalidArgumentException.class, () -> lent.useWorkspace(small)).code());
      int[] expected = Rows.tokens(own, 20, Rows.noise(5000, 3));
      workspace.close(); // the sampler keeps it
      assertArrayEquals(expected, Rows.tokens(lent, 20, Rows.noise(5000, 3)));
      lent.useWorkspace(null);
      lent.sample(Rows.flat(5000));
    }
    assertThrows(IllegalArgumentException.class, () -> new Workspace(0));
    assertThrows(IllegalArgumentException.class, () -> new Workspace(-1));
  }

  @Test
  void padded_rows_and_refused_sizes() {
    try (Vocab vocab = Vocab.ofTexts(List.of("a", "b"));
        Params params = new Params()) {
      try (Sampler sampler = new Sampler(params, vocab, 8)) {
        assertEquals(8, sampler.nVocab());
      }
      try (Sampler sampler = new Sampler(params, vocab)) {
        assertEquals(2, sampler.nVocab());
      }
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> new Sampler(params, vocab, 1));
      assertTrue(e.getMessage().contains("n_vocab"), e.getMessage());
      assertThrows(IllegalArgumentException.class, () -> new Sampler(0));
      assertThrows(IllegalArgumentException.class, () -> new Sampler(-5));
      assertThrows(NullPointerException.class, () -> new Sampler(null, 5));
      assertThrows(NullPointerException.class, () -> new Sampler(params, (Vocab) null));
    }
  }
}
