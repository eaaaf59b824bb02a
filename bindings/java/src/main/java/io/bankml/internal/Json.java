package io.bankml.internal;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/** Writes the few JSON values that parameters take. */
public final class Json {
  private Json() {}

  public static String strings(Collection<String> texts) {
    StringBuilder out = new StringBuilder("[");
    for (Iterator<String> i = texts.iterator(); i.hasNext(); ) {
      quote(i.next(), out);
      out.append(i.hasNext() ? "," : "");
    }
    return out.append(']').toString();
  }

  public static String tokenLists(int[][] lists) {
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < lists.length; ++i) {
      out.append(i == 0 ? "[" : ",[");
      for (int k = 0; k < lists[i].length; ++k) {
        out.append(k == 0 ? "" : ",").append(lists[i][k]);
      }
      out.append(']');
    }
    return out.append(']').toString();
  }

  /** Pairs [token or text, bias]; minus infinity, which JSON lacks, is false. */
  public static String biases(Map<?, ? extends Number> biases) {
    StringBuilder out = new StringBuilder("[");
    biases.forEach((key, value) -> {
      out.append(out.length() == 1 ? "[" : ",[");
      if (key instanceof Integer) {
        out.append(key);
      } else {
        quote(key.toString(), out);
      }
      boolean ban = value.doubleValue() == Double.NEGATIVE_INFINITY;
      out.append(',').append(ban ? "false" : value.toString()).append(']');
    });
    return out.append(']').toString();
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
