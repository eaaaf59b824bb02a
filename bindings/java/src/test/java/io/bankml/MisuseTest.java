package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Closed objects, one sampler in two hands, close during a call: an exception or a right answer, and the process lives. */
class MisuseTest {
  @Test
  void every_call_on_a_closed_object_is_an_illegal_state() {
    Sampler sampler = new Sampler(8);
    Params params = new Params();
    Vocab vocab = Vocab.ofTexts(List.of("a"));
    Workspace workspace = new Workspace(8);
    Pool pool = new Pool(2, 8);
    sampler.close();
    params.close();
    vocab.close();
    workspace.close();
    pool.close();
    sampler.close();
    params.close();
    vocab.close();
    workspace.close();
    pool.close();
    float[] row = new float[8];
    List<Executable> calls = List.of(
        () -> sampler.sample(row), () -> sampler.sample(Rows.direct(row)), () -> sampler.sampleMasked(row, new int[1]),
        () -> sampler.sampleMasked(Rows.direct(row), Rows.direct(1)), () -> sampler.sampleCandidates(new int[1], new float[1]),
        () -> sampler.sampleCandidates(Rows.direct(1), Rows.direct(1f)), () -> sampler.accept(1), () -> sampler.accept(new int[1]),
        () -> sampler.accept(Rows.direct(1)), () -> sampler.keep(true), sampler::candidates, () -> sampler.postProbs(1),
        () -> sampler.tokenProbs(row, 1, 1), () -> sampler.tokenProbs(Rows.direct(row), 1, 1), sampler::reset, sampler::seed,
        () -> sampler.seed(1), sampler::steps, sampler::planName, sampler::warnings, sampler::bytes, sampler::perf,
        () -> sampler.clock(true), sampler::copy, () -> sampler.useWorkspace(null), () -> params.set("top_k", 1),
        () -> params.set("top_k", true), () -> params.set("samplers", "k"), () -> params.set("samplers", List.of()),
        () -> params.setJson("top_k", "1"), () -> params.load("{}"), () -> params.strict(true), () -> params.loadGguf(new byte[4]),
        () -> params.number("top_k"), () -> params.json("top_k"), params::toJson, () -> params.origin("top_k"), params::warnings,
        () -> params.openTexts(null), () -> params.answer(0, 1), params::copy, () -> new Sampler(params, 8),
        vocab::size, () -> vocab.piece(0), () -> vocab.flags(0), vocab::eos, vocab::eot, vocab::bos, vocab::fingerprint,
        vocab::breakerScans, () -> vocab.tokenize("a"), workspace::bytes,
        pool::threads, () -> pool.sample(new Batch()));
    for (Executable call : calls) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertTrue(e.getMessage().endsWith("is closed"), e.getMessage());
    }
    try (Params open = new Params();
        Sampler other = new Sampler(8)) {
      assertThrows(IllegalStateException.class, () -> new Sampler(open, vocab));
      assertThrows(IllegalStateException.class, () -> other.useWorkspace(workspace));
    }
  }

  @Test
  void two_threads_on_one_sampler_take_turns() throws Exception {
    int n = 5000;
    int each = 300;
    float[] row = Rows.noise(n, 4);
    List<Integer> drawn = new ArrayList<>();
    try (Sampler shared = Rows.seeded(n, 3);
        Sampler alone = Rows.seeded(n, 3)) {
      Rows.inThreads(4, () -> {
        List<Integer> mine = new ArrayList<>();
        for (int i = 0; i < each; ++i) {
          mine.add(shared.sample(row));
        }
        synchronized (drawn) {
          drawn.addAll(mine);
        }
      });
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < 4 * each; ++i) {
        expected.add(alone.sample(row));
      }
      drawn.sort(null);
      expected.sort(null);
      assertEquals(expected, drawn); // who got which is chance, but no draw was lost or spoiled
    }
  }

  @Test
  void a_workspace_in_two_threads_is_busy_and_never_damaged() throws Exception {
    int n = 20000;
    float[] row = Rows.noise(n, 5);
    int[] expected;
    try (Sampler alone = Rows.neutral(n, b -> b.typicalP(0.9))) {
      expected = Rows.tokens(alone, 60, row);
    }
    AtomicInteger busy = new AtomicInteger();
    try (Workspace workspace = new Workspace(n)) {
      for (int round = 0; round < 200 && busy.get() == 0; ++round) { // a busy machine may run them one after the other
        Rows.inThreads(4, () -> {
          try (Sampler mine = Rows.neutral(n, b -> b.typicalP(0.9))) {
            mine.useWorkspace(workspace);
            for (int expect : expected) {
              for (boolean done = false; !done; ) {
                try {
                  assertEquals(expect, mine.sample(row));
                  done = true;
                } catch (BusyException e) {
                  assertEquals(ErrorCode.BUSY, e.code());
                  busy.incrementAndGet();
                }
              }
              mine.accept(expect);
            }
          }
        });
      }
    }
    assertTrue(busy.get() > 0, "the threads never met");
  }

  @Test
  void close_during_a_call_waits_for_it() throws Exception {
    int n = 200_000;
    float[] row = Rows.noise(n, 6);
    int expected;
    try (Sampler alone = Rows.neutral(n)) {
      expected = alone.sample(row);
    }
    for (int i = 0; i < 15; ++i) {
      Sampler sampler = Rows.neutral(n);
      CountDownLatch started = new CountDownLatch(1);
      ExecutorService other = Executors.newSingleThreadExecutor();
      Future<Integer> drawn = other.submit(() -> {
        started.countDown();
        return sampler.sample(row);
      });
      started.await();
      Thread.sleep(0, 200_000 * (i % 5));
      sampler.close();
      try {
        assertEquals(expected, drawn.get());
      } catch (java.util.concurrent.ExecutionException e) {
        assertTrue(e.getCause() instanceof IllegalStateException, e.toString()); // the close came first
      } finally {
        other.shutdown();
      }
    }
  }

  @Test
  void a_vocabulary_closed_while_threads_use_it() throws Exception {
    List<String> pieces = new ArrayList<>();
    for (int i = 0; i < 2000; ++i) {
      pieces.add("piece " + i);
    }
    Vocab vocab = Vocab.ofTexts(pieces);
    AtomicInteger made = new AtomicInteger();
    Thread closer = new Thread(() -> {
      while (made.get() < 50) {
        Thread.onSpinWait();
      }
      vocab.close();
    });
    closer.start();
    Rows.inThreads(3, () -> {
      try (Params params = Params.builder().dryMultiplier(1).build()) {
        while (true) {
          try (Sampler sampler = new Sampler(params, vocab)) {
            sampler.sample(Rows.flat(2000));
            made.incrementAndGet();
          }
        }
      } catch (IllegalStateException e) {
        assertTrue(e.getMessage().contains("vocabulary"), e.getMessage());
      }
    });
    closer.join();
  }
}
