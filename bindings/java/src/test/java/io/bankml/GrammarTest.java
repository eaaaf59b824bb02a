package io.bankml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bankml.internal.Direct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Grammars: places, masks in every kind of memory, constrained draws, refusals, copies in threads. */
class GrammarTest {
  static final int EOS = 257;
  static final int N = 258;
  private static final int WORDS = (N + 31) / 32;

  /** 256 byte tokens, a control token and an end token. */
  static Vocab vocab() {
    List<byte[]> pieces = new ArrayList<>();
    int[] flags = new int[N];
    for (int i = 0; i < 256; ++i) {
      pieces.add(new byte[] {(byte) i});
    }
    pieces.add("<tool>".getBytes(StandardCharsets.UTF_8));
    flags[256] = Vocab.CONTROL;
    pieces.add("</s>".getBytes(StandardCharsets.UTF_8));
    flags[EOS] = Vocab.CONTROL | Vocab.EOG;
    return Vocab.of(pieces, flags, EOS, -1);
  }

  static Grammar grammar(String gbnf) {
    try (Vocab vocab = vocab()) {
      return Grammar.fromGbnf(vocab, gbnf);
    }
  }

  private static Grammar digits() {
    return grammar("root ::= \"ab\" [0-9]+");
  }

  private static int[] allowed(int[] words) {
    return IntStream.range(0, 32 * words.length).filter(i -> (words[i / 32] >>> i % 32 & 1) != 0).toArray();
  }

  private static int[] ids(String text) {
    return text.chars().toArray();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void a_walk() {
    try (Grammar g = digits()) {
      assertArrayEquals(ids("a"), allowed(g.mask()));
      assertEquals("ab", text(g.forced()));
      assertTrue(g.test('a') && !g.test('b') && !g.test(100_000));
      assertFalse(g.isComplete() || g.isDead());
      assertEquals(N, g.nVocab());
      g.accept('a');
      g.accept(ids("b1"));
      g.accept(Rows.direct(ids("x23")).position(1));
      assertTrue(g.isComplete());
      assertEquals("", text(g.forced()));
      assertTrue(g.test(EOS));
      g.accept(EOS);
      g.rollback(1);
      g.rollback(4);
      assertArrayEquals(ids("b"), allowed(g.mask()));
      g.reset();
      assertArrayEquals(ids("a"), allowed(g.mask()));
    }
  }

  @Test
  void masks_in_every_kind_of_memory() {
    try (Grammar g = digits()) {
      g.accept(ids("ab"));
      int[] expected = Arrays.copyOf(g.mask(), WORDS + 3);
      int[] array = new int[WORDS + 3];
      Arrays.fill(array, 77);
      g.mask(array);
      assertArrayEquals(expected, array);
      ByteBuffer foreign = ByteBuffer.allocateDirect(4 * (WORDS + 5)).order(
          ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      for (IntBuffer buffer : List.of(Direct.ints(WORDS + 5), IntBuffer.allocate(WORDS + 5), foreign.asIntBuffer())) {
        for (int i = 0; i < WORDS + 5; ++i) {
          buffer.put(i, 77);
        }
        buffer.position(1).limit(WORDS + 4);
        g.mask(buffer);
        assertEquals(1, buffer.position());
        assertEquals(WORDS + 4, buffer.limit());
        int[] read = new int[WORDS + 3];
        buffer.get(1, read);
        assertArrayEquals(expected, read);
        buffer.clear();
        assertEquals(77, buffer.get(0));
        assertEquals(77, buffer.get(WORDS + 4));
      }
      assertEquals(ErrorCode.LENGTH, assertThrows(InvalidArgumentException.class, () -> g.mask(new int[WORDS - 1])).code());
      assertThrows(InvalidArgumentException.class, () -> g.mask(Direct.ints(WORDS - 1)));
      assertThrows(InvalidArgumentException.class, () -> g.mask(IntBuffer.allocate(WORDS).asReadOnlyBuffer()));
      assertThrows(InvalidArgumentException.class,
          () -> g.mask(ByteBuffer.allocateDirect(4 * WORDS + 4).order(ByteOrder.nativeOrder()).position(1).slice()
              .order(ByteOrder.nativeOrder()).asIntBuffer()));
    }
  }

  @Test
  void constrained_draws_are_those_of_hand_made_redraws() {
    int redraws = 0;
    try (Grammar g = grammar("root ::= [a-z]+ \"!\"");
        Sampler sampler = Rows.seeded(N, 3);
        Sampler twin = Rows.seeded(N, 3)) {
      assertFalse(sampler.redrawn());
      for (int i = 0; i < 60; ++i) {
        float[] row = Rows.noise(N, i);
        row['a' + i % 26] += 4;
        int token = i % 2 == 0 ? sampler.sampleConstrained(row, g) : sampler.sampleConstrained(Rows.direct(row), g);
        int first = twin.sample(row);
        boolean fits = g.test(first);
        assertEquals(fits ? first : twin.sampleMasked(row, g.mask()), token);
        assertEquals(!fits, sampler.redrawn());
        redraws += fits ? 0 : 1;
        if (token == '!') {
          g.reset();
        } else {
          g.accept(token);
        }
        assertEquals(twin.sampleMasked(row, g.mask()), sampler.sampleConstrained(row, g, true));
        assertFalse(sampler.redrawn());
        assertEquals(twin.sampleMasked(row, g.mask()), sampler.sampleConstrained(Rows.direct(row), g, true));
      }
      assertTrue(redraws > 5 && redraws < 60, redraws + " redraws");
    }
  }

  @Test
  void where_nothing_is_allowed_or_the_vocabulary_is_larger() {
    try (Grammar dead = grammar("root ::= [z-a]");
        Sampler sampler = Rows.seeded(N, 1);
        Sampler twin = Rows.seeded(N, 1);
        Sampler small = new Sampler(N - 1)) {
      assertTrue(dead.isDead());
      assertThrows(NoLegalTokenException.class, () -> sampler.sampleConstrained(Rows.flat(N), dead));
      assertArrayEquals(Rows.tokens(twin, 20, Rows.flat(N)), Rows.tokens(sampler, 20, Rows.flat(N)));
      assertThrows(InvalidArgumentException.class, () -> small.sampleConstrained(Rows.flat(N - 1), dead));
      assertThrows(InvalidArgumentException.class, () -> sampler.sampleConstrained(Rows.flat(N - 1), dead));
    }
  }

  @Test
  void what_does_not_fit_is_refused_and_changes_nothing() {
    try (Grammar g = digits();
        Grammar other = grammar("root ::= \"x\"")) {
      RejectedTokenException e = assertThrows(RejectedTokenException.class, () -> g.accept('b'));
      assertEquals(ErrorCode.REJECT, e.code());
      assertThrows(RejectedTokenException.class, () -> g.accept(ids("ax")));
      assertThrows(RejectedTokenException.class, () -> g.accept(EOS));
      assertEquals(ErrorCode.TOKEN, assertThrows(InvalidArgumentException.class, () -> g.accept(N)).code());
      assertEquals(ErrorCode.TOKEN, assertThrows(InvalidArgumentException.class, () -> g.test(-1)).code());
      assertThrows(InvalidArgumentException.class, () -> g.rollback(1));
      assertThrows(InvalidArgumentException.class, () -> g.rollback(-1));
      assertThrows(InvalidArgumentException.class, () -> g.warm(-1));
      for (byte[] bytes : List.of(new byte[0], new byte[40], other.save())) {
        assertEquals(ErrorCode.STATE, assertThrows(InvalidArgumentException.class, () -> g.load(bytes)).code());
      }
      assertArrayEquals(ids("a"), allowed(g.mask()));
    }
  }

  @Test
  void texts_and_options() {
    try (Vocab vocab = vocab()) {
      InvalidArgumentException e =
          assertThrows(InvalidArgumentException.class, () -> Grammar.fromGbnf(vocab, "root ::= \"a\"\nb ::= [c"));
      assertEquals(ErrorCode.PARSE, e.code());
      assertTrue(e.getMessage().startsWith("grammar, line 2, column "), e.getMessage());
      try (Grammar g = Grammar.builder().root("value").tokenText("<x>", 'q').maxStates(100).maxBytes(1 << 20)
               .build(vocab, "value ::= <x> | <tool>")) {
        assertArrayEquals(new int[] {'q', 256}, allowed(g.mask()));
      }
      try (Grammar g = Grammar.fromGbnf(vocab, "")) {
        assertEquals(N, allowed(g.mask()).length);
      }
      String letters = "root ::= [a-z]+ [a-z]+ [a-z]+";
      for (GrammarBuilder builder : List.of(Grammar.builder().maxStates(4), Grammar.builder().maxBytes(200))) {
        BankmlException limit = assertThrows(BankmlException.class, () -> builder.build(vocab, letters));
        assertEquals(ErrorCode.LIMIT, limit.code());
      }
      for (GrammarBuilder builder : List.of(Grammar.builder().maxStates(0), Grammar.builder().maxBytes(-1),
               Grammar.builder().tokenText("x", 1), Grammar.builder().tokenText("<x>", -1), Grammar.builder().root("other"))) {
        assertThrows(InvalidArgumentException.class, () -> builder.build(vocab, letters));
      }
      assertThrows(InvalidArgumentException.class, () -> Grammar.builder().root("a\0b"));
    }
  }

  private static GrammarBuilder lazy() {
    return Grammar.builder().triggerToken(256);
  }

  @Test
  void a_lazy_grammar_waits_for_its_trigger() {
    record Case(GrammarBuilder builder, String before) {}
    for (Case c :
        List.of(
            new Case(lazy().triggerWord("<call>"), "so <call>"),
            new Case(lazy().triggerPattern("!+(<c[a-z]*>)$"), "!<call>"),
            new Case(lazy().triggerPatternFull("so (<call>)"), "so <call>"))) {
      try (Vocab vocab = vocab();
          Grammar g = c.builder().build(vocab, "root ::= \"<call>\" [a-z]+ \"()\"")) {
        for (int token : ids(c.before())) {
          assertEquals(N, allowed(g.mask()).length);
          assertFalse(g.isDead());
          g.accept(token);
        }
        assertEquals(26, allowed(g.mask()).length);
        g.accept(ids("f()"));
        assertArrayEquals(new int[] {EOS}, allowed(g.mask()));
        g.reset();
        assertEquals(N, allowed(g.mask()).length);
      }
    }
    try (Vocab vocab = vocab()) {
      try (Grammar g = lazy().build(vocab, "root ::= <tool> \"x\"")) {
        g.accept(new int[] {'a', 256});
        assertArrayEquals(ids("x"), allowed(g.mask()));
      }
      try (Grammar g = Grammar.builder().triggerWord("y").build(vocab, "root ::= \"x\"")) {
        assertThrows(RejectedTokenException.class, () -> g.accept('y'));
      }
      InvalidArgumentException bad =
          assertThrows(InvalidArgumentException.class, () -> lazy().triggerPattern("ab(").build(vocab, "root ::= \"x\""));
      assertEquals(ErrorCode.PARSE, bad.code());
      assertTrue(bad.getMessage().contains("trigger 1: pattern, position 3: "), bad.getMessage());
      for (int token : new int[] {-1, N}) {
        bad = assertThrows(InvalidArgumentException.class, () -> Grammar.builder().triggerToken(token).build(vocab, "root ::= \"x\""));
        assertEquals(ErrorCode.TOKEN, bad.code());
      }
      BankmlException large =
          assertThrows(BankmlException.class, () -> lazy().triggerPattern("a{9999}{9999}").build(vocab, "root ::= \"x\""));
      assertEquals(ErrorCode.LIMIT, large.code());
    }
  }

  @Test
  void the_strict_dialect_reads_utf_8_as_it_is_defined() {
    try (Vocab vocab = vocab();
        Grammar g = Grammar.builder().dialect("strict").build(vocab, "root ::= [^a]*")) {
      int[] first = IntStream.range(0, 0xF5).filter(b -> b != 'a' && (b < 0x80 || b >= 0xC2)).toArray();
      int[] expected = Arrays.copyOf(first, first.length + 1);
      expected[first.length] = EOS;
      assertArrayEquals(expected, allowed(g.mask()));
      g.accept(0xE2);
      assertArrayEquals(IntStream.range(0x80, 0xC0).toArray(), allowed(g.mask()));
      assertFalse(g.isComplete());
      assertThrows(InvalidArgumentException.class, () -> Grammar.builder().dialect("other").build(vocab, ""));
    }
  }

  @Test
  void schemas() {
    try (Vocab vocab = vocab();
        Grammar g = Grammar.fromSchema(vocab, "{\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}")) {
      try (Grammar again = Grammar.fromGbnf(vocab, g.toGbnf())) {
        assertEquals("{", text(again.forced()));
      }
      g.accept(ids("{\"a\": 12}"));
      assertArrayEquals(new int[] {EOS}, allowed(g.mask()));
      InvalidArgumentException bad =
          assertThrows(InvalidArgumentException.class, () -> Grammar.fromSchema(vocab, "{\"type\":\"odd\"}"));
      assertEquals(ErrorCode.SCHEMA, bad.code());
      assertTrue(bad.getMessage().contains("unrecognized type odd"), bad.getMessage());
      bad = assertThrows(InvalidArgumentException.class, () -> Grammar.builder().buildFromSchema(vocab, "{}"));
      assertEquals(ErrorCode.SCHEMA, bad.code());
    }
  }

  @Test
  void saved_places_copies_and_warm_masks() {
    try (Grammar g = digits();
        Grammar other = digits()) {
      g.accept(ids("ab1"));
      other.load(g.save());
      assertTrue(other.isComplete());
      int[] many = new int[5000];
      Arrays.fill(many, '7');
      g.accept(many);
      other.load(g.save()); // more than the first room takes
      other.rollback(5001);
      assertFalse(other.isComplete());
      try (Grammar copy = g.copy()) {
        copy.rollback(5002);
        assertArrayEquals(ids("b"), allowed(copy.mask()));
        assertTrue(g.isComplete());
        copy.reset();
        assertTrue(copy.warm(10) >= 0 && copy.bytes() > 0);
        long fills = copy.maskFills();
        copy.mask();
        copy.accept('a');
        copy.mask();
        assertEquals(fills, copy.maskFills());
      }
    }
  }

  @Test
  void every_call_on_a_closed_grammar_is_an_illegal_state() {
    Grammar g = digits();
    g.close();
    g.close();
    List<Executable> calls = List.of(g::mask, () -> g.mask(new int[WORDS]), () -> g.mask(Direct.ints(WORDS)), () -> g.test(1),
        () -> g.accept(1), () -> g.accept(new int[1]), () -> g.accept(Direct.ints(1)), () -> g.rollback(0), g::reset,
        () -> g.warm(1), g::save, () -> g.load(new byte[1]), g::isComplete, g::isDead, g::forced, g::bytes, g::maskFills, g::copy);
    for (Executable call : calls) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertEquals("the grammar is closed", e.getMessage());
    }
    try (Sampler sampler = new Sampler(N)) {
      assertThrows(IllegalStateException.class, () -> sampler.sampleConstrained(Rows.flat(N), g));
      assertThrows(IllegalStateException.class, () -> sampler.sampleConstrained(Rows.direct(Rows.flat(N)), g, true));
    }
  }

  @Test
  void copies_in_many_threads_share_masks() throws Exception {
    try (Grammar g = grammar("root ::= (\"a\" root | [b-f] root \"x\")?")) {
      List<Grammar> copies = new ArrayList<>();
      for (int i = 0; i < 4; ++i) {
        copies.add(g.copy());
      }
      Rows.inThreads(4, () -> {
        Grammar mine;
        synchronized (copies) {
          mine = copies.remove(0);
        }
        try (mine; Grammar fresh = grammar("root ::= (\"a\" root | [b-f] root \"x\")?")) {
          for (int i = 0; i < 300; ++i) {
            int[] mask = mine.mask();
            assertArrayEquals(fresh.mask(), mask);
            int token = allowed(mask)[i * 7 % 5];
            mine.accept(token);
            fresh.accept(token);
            g.mask(); // a grammar that several share is locked
          }
        }
      });
    }
  }

  @Test
  void a_batch_draws_what_single_calls_draw() {
    String[] texts = {"root ::= [a-z]+", "root ::= (\"ab\" | [x-z])*", "root ::= [^a-f]*"};
    List<Sampler> batched = new ArrayList<>();
    List<Sampler> single = new ArrayList<>();
    List<Grammar> together = new ArrayList<>();
    List<Grammar> alone = new ArrayList<>();
    for (int i = 0; i < 9; ++i) {
      batched.add(i / 2, Rows.seeded(N, i));
      single.add(i / 2, Rows.seeded(N, i));
    }
    for (int i = 0; i < 9; ++i) {
      // Copies are made in another order than their samplers, and one item of three has no grammar.
      together.add(i < 3 ? grammar(texts[i]) : together.get(i % 3).copy());
      alone.add(grammar(texts[i % 3]));
    }
    int redraws = 0;
    Batch batch = new Batch();
    try (Pool pool = new Pool(3, N)) {
      for (int round = 0; round < 30; ++round) {
        batch.clear();
        for (int i = 0; i < 9; ++i) {
          float[] row = Rows.noise(N, 10 * round + i);
          Grammar g = together.get(8 - i);
          assertEquals(i, switch (i % 3) {
            case 0 -> batch.add(batched.get(i), row);
            case 1 -> batch.addConstrained(batched.get(i), row, g, i % 2 == 0);
            default -> batch.addConstrained(batched.get(i), Rows.direct(row), g, i % 2 == 0);
          });
        }
        if (round % 2 == 0) {
          pool.sample(batch);
        } else {
          batch.sample();
        }
        for (int i = 0; i < 9; ++i) {
          float[] row = Rows.noise(N, 10 * round + i);
          Grammar g = alone.get(8 - i);
          Sampler s = single.get(i);
          int token = i % 3 == 0 ? s.sample(row) : s.sampleConstrained(row, g, i % 2 == 0);
          assertEquals(token, batch.token(i));
          assertEquals(i % 3 != 0 && s.redrawn(), batch.redrawn(i));
          redraws += batch.redrawn(i) ? 1 : 0;
          if (i % 3 != 0) {
            g.accept(token);
            together.get(8 - i).accept(token);
          }
        }
      }
      assertTrue(redraws > 10, redraws + " redraws");

      batch.clear();
      batch.addConstrained(batched.get(0), Rows.flat(N), together.get(0), false);
      batch.addConstrained(batched.get(1), Rows.flat(N), together.get(0), false);
      InvalidArgumentException twice = assertThrows(InvalidArgumentException.class, () -> pool.sample(batch));
      assertEquals("items 0 and 1 have the same grammar", twice.getMessage());
      assertThrows(IllegalStateException.class, () -> batch.redrawn(0));
      together.get(0).mask(); // nobody holds it any more

      batch.clear();
      Grammar closed = grammar("root ::= [a-z]");
      closed.close();
      try (Grammar dead = grammar("root ::= [z-a]")) {
        batch.addConstrained(batched.get(0), Rows.flat(N), dead, false);
        batch.addConstrained(batched.get(1), Rows.flat(N), closed, false);
        batch.addConstrained(batched.get(2), Rows.flat(N), together.get(1), false);
        pool.sample(batch);
      }
      assertTrue(batch.error(0) instanceof NoLegalTokenException && batch.error(1) instanceof IllegalStateException);
      assertFalse(batch.failed(2));
      assertThrows(NullPointerException.class, () -> batch.addConstrained(batched.get(3), Rows.flat(N), null, false));
    }
    for (int i = 0; i < 9; ++i) {
      batched.get(i).close();
      single.get(i).close();
      together.get(i).close();
      alone.get(i).close();
    }
  }
}
