package io.bankml;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Native memory stays flat whether samplers are closed or forgotten. */
class LifetimeTest {
  private static final int MANY = 100_000;
  private static final long ALLOWED = 200L << 20; // a sampler that stayed would be about 10 kB, all of them 1 GB

  private static long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("no VmRSS");
  }

  private static void flat(Runnable one) throws IOException {
    for (int i = 0; i < MANY / 20; ++i) {
      one.run();
    }
    long before = residentBytes();
    for (int i = 0; i < MANY; ++i) {
      one.run();
    }
    long grown = residentBytes() - before;
    assertTrue(grown < ALLOWED, "grown by " + (grown >> 20) + " MiB");
  }

  @Test
  void forgotten_samplers_are_collected() throws IOException {
    try (Params params = new Params()) {
      flat(() -> new Sampler(params, 1000).accept(1));
    }
  }

  @Test
  void closed_samplers_are_gone_at_once() throws IOException {
    try (Params params = new Params()) {
      flat(() -> new Sampler(params, 1000).close());
    }
  }

  @Test
  void collection_leaves_a_sampler_in_use_alone() {
    for (int i = 0; i < 200; ++i) {
      // Nothing holds the sampler but the call that runs.
      assertTrue(Rows.neutral(1000).sample(Rows.flat(1000)) >= 0);
      if (i % 20 == 0) {
        System.gc();
      }
    }
  }
}
