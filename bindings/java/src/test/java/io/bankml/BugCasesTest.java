package io.bankml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real trouble of other samplers, recast as cases; each test carries the id of its row. */
class BugCasesTest {
  private static final float[] FLAT = Rows.flat(1000);

  @Test
  void B38_a_penalty_counts_once_and_engines_go_on() {
    try (Sampler sampler = Rows.neutral(1, b -> b.repeatPenalty(2));
        Sampler flat = Rows.neutral(1000)) {
      sampler.keep(true);
      sampler.accept(new int[] {0, 0, 0});
      sampler.sample(new float[] {4});
      assertEquals(2f, sampler.candidates().get(0).logit());
      int[] tokens = Rows.tokens(flat, 20, FLAT);
      assertTrue(Arrays.stream(tokens).distinct().count() > 1);
    }
  }

  @Test
  void B59_mirostats_mu_belongs_to_its_sampler() {
    for (int version = 1; version <= 2; ++version) {
      int mirostat = version;
      float[] rowA = Rows.noise(500, 1);
      float[] rowB = Rows.noise(500, 2);
      try (Sampler a = Rows.neutral(500, b -> b.mirostat(mirostat).seed(1));
          Sampler b = Rows.neutral(500, x -> x.mirostat(mirostat).seed(2));
          Sampler aloneA = Rows.neutral(500, x -> x.mirostat(mirostat).seed(1));
          Sampler aloneB = Rows.neutral(500, x -> x.mirostat(mirostat).seed(2))) {
        int[] fromA = new int[50];
        int[] fromB = new int[50];
        for (int i = 0; i < 50; ++i) {
          fromA[i] = a.sample(rowA);
          a.accept(fromA[i]);
          fromB[i] = b.sample(rowB);
          b.accept(fromB[i]);
        }
        assertArrayEquals(Rows.tokens(aloneA, 50, rowA), fromA);
        assertArrayEquals(Rows.tokens(aloneB, 50, rowB), fromB);
      }
    }
  }

  @Test
  void B67_the_default_seed_is_random_and_can_be_read() {
    Set<Integer> first = new HashSet<>();
    for (int i = 0; i < 20; ++i) {
      try (Sampler sampler = Rows.seeded(1000, 4294967295L)) {
        int token = sampler.sample(FLAT);
        first.add(token);
        try (Sampler again = Rows.seeded(1000, sampler.seed())) {
          assertEquals(token, again.sample(FLAT));
        }
      }
    }
    assertTrue(first.size() >= 2);
  }

  @Test
  void B68_seed_0_is_a_fixed_seed() {
    try (Sampler a = Rows.seeded(1000, 0);
        Sampler b = Rows.seeded(1000, 0);
        Sampler random = Rows.seeded(1000, -1)) {
      assertEquals(0, a.seed());
      assertArrayEquals(Rows.tokens(a, 50, FLAT), Rows.tokens(b, 50, FLAT));
      assertNotEquals(4294967295L, random.seed());
    }
  }

  @Test
  void B70_reset_replays_a_fixed_seed_and_renews_a_random_one() {
    try (Sampler fixed = Rows.seeded(1000, 5);
        Sampler random = Rows.seeded(1000, -1)) {
      int[] before = Rows.tokens(fixed, 5, FLAT);
      fixed.reset();
      assertArrayEquals(before, Rows.tokens(fixed, 5, FLAT));
      long seed = random.seed();
      random.reset();
      assertNotEquals(seed, random.seed());
    }
  }

  @Test
  void B71_children_with_successive_seeds_differ_and_replay_alone() {
    int[][] streams = new int[3][];
    for (int j = 0; j < 3; ++j) {
      try (Sampler child = Rows.seeded(1000, 7 + j);
          Sampler alone = Rows.seeded(1000, 7 + j)) {
        streams[j] = Rows.tokens(child, 20, FLAT);
        assertArrayEquals(Rows.tokens(alone, 20, FLAT), streams[j]);
      }
    }
    assertEquals(3, Arrays.stream(streams).map(Arrays::toString).distinct().count());
  }

  @Test
  void B74_a_sampler_draws_the_same_beside_another() {
    try (Sampler a = Rows.seeded(500, 5);
        Sampler other = Rows.seeded(500, 6);
        Sampler alone = Rows.seeded(500, 5)) {
      for (int i = 0; i < 30; ++i) {
        other.sample(Rows.flat(500));
        assertEquals(alone.sample(Rows.flat(500)), a.sample(Rows.flat(500)));
      }
    }
  }

  /** The stages that remember something, each the only one that does besides the draw. */
  static Stream<Map.Entry<String, Consumer<ParamsBuilder>>> statefulStages() {
    return Stream.of(
        Map.entry("penalties", b -> b.repeatPenalty(1.3).frequencyPenalty(0.2)),
        Map.entry("dry", b -> b.dryMultiplier(0.8).dryAllowedLength(0).drySequenceBreakers().dryPenaltyLastN(200)),
        Map.entry("mirostat 1", b -> b.mirostat(1)),
        Map.entry("mirostat 2", b -> b.mirostat(2)),
        Map.entry("xtc", b -> b.xtcProbability(0.5).xtcThreshold(0.01)),
        Map.entry("adaptive_p", b -> b.samplers("adaptive_p").adaptiveTarget(0.3)),
        Map.entry("draw", b -> {}));
  }

  @ParameterizedTest
  @MethodSource("statefulStages")
  void B76_reset_and_copy_cover_every_stage(Map.Entry<String, Consumer<ParamsBuilder>> stage) {
    float[] row = Rows.noise(40, 3);
    try (Sampler sampler = Rows.neutral(40, stage.getValue());
        Sampler fresh = Rows.neutral(40, stage.getValue())) {
      int[] first = Rows.tokens(sampler, 100, row);
      sampler.reset();
      assertArrayEquals(first, Rows.tokens(sampler, 100, row));
      assertArrayEquals(first, Rows.tokens(fresh, 100, row));

      sampler.reset();
      Rows.tokens(sampler, 50, row);
      try (Sampler copy = sampler.copy();
          Sampler untouched = sampler.copy()) {
        for (int i = 0; i < 30; ++i) {
          copy.accept(i); // what one accepts later is no business of the other
        }
        assertArrayEquals(Arrays.copyOfRange(first, 50, 100), Rows.tokens(sampler, 50, row));
        assertArrayEquals(Arrays.copyOfRange(first, 50, 100), Rows.tokens(untouched, 50, row));
      }
    }
  }
}
