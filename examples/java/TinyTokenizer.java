import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Byte-level byte-pair encoding with GPT-2's alphabet for bytes; the same rule as examples/tiny-model/tokenizer.cpp. */
final class TinyTokenizer {
  private record Merge(int rank, int joined) {}

  private final List<byte[]> pieces = new ArrayList<>();
  private final int[] byteTokens = new int[256];
  private final Map<Long, Merge> merges = new HashMap<>();

  TinyTokenizer(List<String> tokens, List<String> mergeTexts, int end) {
    Map<Character, Integer> bytes = new HashMap<>();
    char extra = 256;
    for (int b = 0; b < 256; ++b) {
      boolean printable = b >= 33 && b <= 126 || b >= 161 && b <= 172 || b >= 174;
      bytes.put(printable ? (char) b : extra++, b);
    }
    Map<String, Integer> ids = new HashMap<>();
    for (String token : tokens) {
      int id = pieces.size();
      ids.put(token, id);
      ByteArrayOutputStream piece = new ByteArrayOutputStream();
      if (id != end) {
        token.chars().forEach(c -> piece.write(bytes.get((char) c)));
      }
      pieces.add(piece.toByteArray());
      if (piece.size() == 1) {
        byteTokens[pieces.get(id)[0] & 255] = id;
      }
    }
    for (String merge : mergeTexts) {
      String[] halves = merge.split(" ");
      merges.put(pair(ids.get(halves[0]), ids.get(halves[1])), new Merge(merges.size(), ids.get(halves[0] + halves[1])));
    }
  }

  private static long pair(int left, int right) {
    return (long) left << 32 | right;
  }

  byte[] piece(int token) {
    return pieces.get(token);
  }

  int[] encode(byte[] text) {
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < text.length; ) {
      int start = i;
      if (text[i] == ' ' && i + 1 < text.length && kind(text[i + 1]) != 's') {
        ++i;
      }
      char kind = kind(text[i]);
      while (i < text.length && kind(text[i]) == kind) {
        ++i;
      }
      // White space before a word leaves its last space to the word.
      if (kind == 's' && i < text.length && i - start > 1 && text[i - 1] == ' ') {
        --i;
      }
      encodeWord(Arrays.copyOfRange(text, start, i), out);
    }
    return out.stream().mapToInt(Integer::intValue).toArray();
  }

  private static char kind(byte b) {
    if (b == ' ' || b >= 9 && b <= 13) {
      return 's';
    }
    if (b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b < 0) {
      return 'a';
    }
    return b >= '0' && b <= '9' ? '0' : '.';
  }

  private void encodeWord(byte[] word, List<Integer> out) {
    List<Integer> symbols = new ArrayList<>();
    for (byte b : word) {
      symbols.add(byteTokens[b & 255]);
    }
    while (true) {
      Merge best = null;
      long bestPair = 0;
      for (int i = 0; i + 1 < symbols.size(); ++i) {
        Merge merge = merges.get(pair(symbols.get(i), symbols.get(i + 1)));
        if (merge != null && (best == null || merge.rank < best.rank)) {
          best = merge;
          bestPair = pair(symbols.get(i), symbols.get(i + 1));
        }
      }
      if (best == null) {
        break;
      }
      List<Integer> joined = new ArrayList<>();
      for (int i = 0; i < symbols.size(); ++i) {
        if (i + 1 < symbols.size() && pair(symbols.get(i), symbols.get(i + 1)) == bestPair) {
          joined.add(best.joined);
          ++i;
        } else {
          joined.add(symbols.get(i));
        }
      }
      symbols = joined;
    }
    out.addAll(symbols);
  }
}
