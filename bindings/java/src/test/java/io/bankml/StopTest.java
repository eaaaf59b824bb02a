package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Stop strings: what comes out for any cut of a text, options, refusals. Bytes are compared as Latin-1 texts. */
class StopTest {
  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String feed(Stop stop, String text) {
    return new String(stop.feed(latin(text)), StandardCharsets.ISO_8859_1);
  }

  private static String flush(Stop stop) {
    return new String(stop.flush(), StandardCharsets.ISO_8859_1);
  }

  private static Stop stop(int flags, String... strings) {
    List<byte[]> bytes = new ArrayList<>();
    for (String string : strings) {
      bytes.add(latin(string));
    }
    return Stop.of(bytes, flags);
  }

  /** The slow way: the first place where a stop string ends, and there the longest; then its index. */
  private static String whole(String text, String[] strings) {
    for (int end = 1; end <= text.length(); ++end) {
      int best = -1;
      for (int i = 0; i < strings.length; ++i) {
        if (text.substring(0, end).endsWith(strings[i]) && (best < 0 || strings[i].length() > strings[best].length())) {
          best = i;
        }
      }
      if (best >= 0) {
        return text.substring(0, end - strings[best].length()) + " " + best;
      }
    }
    return text + " -1";
  }

  private static String drawn(Random random, String alphabet, int n) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; ++i) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  @Test
  void any_cut_gives_the_whole_texts_result() {
    Random random = new Random(1);
    String[] alphabets = {"ab", "a\u00C3\u00A9\u00E2\u0082\u00AC", "a\u00F0\u009F\u0098\u0080"}; // UTF-8, byte by byte
    for (int round = 0; round < 500; ++round) {
      String alphabet = alphabets[random.nextInt(3)];
      String[] strings = new String[random.nextInt(5)];
      for (int i = 0; i < strings.length; ++i) {
        strings[i] = drawn(random, alphabet, 1 + random.nextInt(4));
      }
      String text = drawn(random, alphabet, random.nextInt(20));
      try (Stop stop = stop(0, strings)) {
        StringBuilder out = new StringBuilder();
        for (int at = 0, end; at < text.length(); at = end) {
          end = Math.min(text.length(), at + 1 + random.nextInt(4));
          out.append(feed(stop, text.substring(at, end)));
        }
        int matched = stop.matched();
        assertEquals(whole(text, strings), out + flush(stop) + " " + matched);
        assertEquals(-1, stop.matched());
      }
    }
  }

  @Test
  void over_token_borders() {
    try (Stop stop = Stop.ofTexts(List.of("END", "\n\n"))) {
      assertEquals("a ", feed(stop, "a E"));
      assertEquals(1, stop.held());
      try (Stop other = stop.copy()) {
        assertEquals("", feed(stop, "ND of text"));
        assertEquals(0, stop.matched());
        assertEquals("", feed(stop, "more"));
        assertEquals("", flush(stop));
        assertEquals("En", feed(other, "n"));
        feed(other, "\n");
        other.reset();
        assertEquals("", feed(other, "\n"));
        assertEquals("\n", flush(other));
      }
    }
  }

  @Test
  void options() {
    try (Stop include = stop(Stop.INCLUDE, "ab", "abc");
        Stop byToken = stop(Stop.BY_TOKEN, "c", "bcd")) {
      assertEquals("xab", feed(include, "xabc"));
      assertEquals("a", feed(byToken, "abcd"));
      assertEquals(1, byToken.matched());
      try (Stop copy = byToken.copy()) {
        assertEquals(1, copy.matched());
      }
    }
  }

  @Test
  void what_does_not_fit_is_refused() {
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> stop(0, "a", ""));
    assertTrue(e.getMessage().contains("stop string 1 is empty"), e.getMessage());
    assertThrows(InvalidArgumentException.class, () -> stop(8, "a"));
    List<byte[]> many = Collections.nCopies(65537, latin("a"));
    assertEquals(ErrorCode.LIMIT, assertThrows(BankmlException.class, () -> Stop.of(many, 0)).code());
    List<byte[]> large = List.of(new byte[1 << 20], latin("a"));
    assertEquals(ErrorCode.LIMIT, assertThrows(BankmlException.class, () -> Stop.of(large, 0)).code());
    Stop stop = stop(0);
    assertThrows(NullPointerException.class, () -> stop.feed(null));
    stop.close();
    stop.close();
    assertThrows(IllegalStateException.class, () -> feed(stop, "a"));
    assertThrows(IllegalStateException.class, stop::flush);
    assertThrows(IllegalStateException.class, stop::reset);
    assertThrows(IllegalStateException.class, stop::copy);
    assertThrows(IllegalStateException.class, stop::held);
  }
}
