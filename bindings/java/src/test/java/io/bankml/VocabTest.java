package io.bankml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bankml.internal.Direct;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vocabularies from pieces and from GGUF files. */
class VocabTest {
  private static final Path VOCABS = Path.of(System.getProperty("bankml.tree"), "tests/vectors/vocab");

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void pieces_flags_and_end_tokens() {
    List<byte[]> pieces = List.of(utf8("a"), utf8(""), new byte[] {0, (byte) 0xFF}, utf8("</s>"));
    try (Vocab vocab = Vocab.of(pieces, new int[] {0, Vocab.UNUSED, Vocab.BYTE, Vocab.CONTROL | Vocab.EOG}, 3, -1)) {
      assertEquals(4, vocab.size());
      for (int i = 0; i < 4; ++i) {
        assertArrayEquals(pieces.get(i), vocab.piece(i));
      }
      assertEquals(Vocab.BYTE, vocab.flags(2));
      assertTrue(vocab.isEog(3));
      assertFalse(vocab.isEog(0));
      assertEquals(3, vocab.eos());
      assertEquals(-1, vocab.eot());
      assertEquals(-1, vocab.bos());
      assertEquals(0, vocab.breakerScans());
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> vocab.piece(4));
      assertEquals(ErrorCode.TOKEN, e.code());
      assertTrue(e.getMessage().contains("4"), e.getMessage());
      assertThrows(InvalidArgumentException.class, () -> vocab.flags(-1));
      assertThrows(IllegalArgumentException.class, () -> vocab.tokenize("a"));
    }
  }

  @Test
  void equal_vocabularies_have_equal_fingerprints() {
    try (Vocab a = Vocab.ofTexts(List.of("x", "y"));
        Vocab same = Vocab.of(List.of(utf8("x"), utf8("y")));
        Vocab other = Vocab.of(List.of(utf8("x"), utf8("y")), new int[] {0, Vocab.EOG}, -1, -1)) {
      assertEquals(a.fingerprint(), same.fingerprint());
      assertNotEquals(a.fingerprint(), other.fingerprint());
    }
  }

  @Test
  void what_does_not_fit_is_refused() {
    assertThrows(InvalidArgumentException.class, () -> Vocab.of(List.of(utf8("x")), new int[2], -1, -1));
    assertThrows(InvalidArgumentException.class, () -> Vocab.of(List.of(utf8("x")), null, 5, -1));
    assertThrows(IllegalArgumentException.class, () -> Vocab.fromGguf(new byte[] {'G', 'G', 'U', 'F'}));
    RuntimeException e = assertThrows(IllegalArgumentException.class, () -> Vocab.fromGguf(Path.of("/nowhere.gguf")));
    assertTrue(e.getMessage().contains("/nowhere.gguf"), e.getMessage());
  }

  @Test
  void a_gguf_file_by_path_by_bytes_and_by_buffer() throws Exception {
    byte[] file = Files.readAllBytes(VOCABS.resolve("spm-test.gguf"));
    ByteBuffer direct = Direct.bytes(file.length + 3).position(3).put(file).position(3);
    try (Vocab byPath = Vocab.fromGguf(VOCABS.resolve("spm-test.gguf"));
        Vocab byBytes = Vocab.fromGguf(file);
        Vocab byBuffer = Vocab.fromGguf(direct)) {
      assertEquals(byPath.fingerprint(), byBytes.fingerprint());
      assertEquals(byPath.fingerprint(), byBuffer.fingerprint());
      assertEquals(3, direct.position());
      int[] ids = byPath.tokenize("a");
      assertTrue(ids.length > 0);
      assertArrayEquals(new int[0], byPath.tokenize(""));
    }
  }

  @Test
  void a_sampler_keeps_its_vocabulary() {
    Sampler sampler;
    try (Vocab vocab = Vocab.of(List.of(utf8("x"), utf8("y")), new int[] {Vocab.EOG, 0}, 0, -1);
        Params params = Params.builder().ignoreEos(true).temperature(0).build()) {
      sampler = new Sampler(params, vocab);
    }
    try (sampler) {
      assertEquals(1, sampler.sample(new float[] {5, 1}));
    }
  }
}
