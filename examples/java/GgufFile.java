import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a GGUF v3 file: metadata first, tensors (F32 and Q8_0) on demand. Example code for TinyModel; bankml reads no tensors. */
final class GgufFile {
  private static final int[] WIDTH = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8}; // by value type; 8 = text, 9 = array
  private static final int TEXT = 8;
  private static final int ARRAY = 9;

  private record Tensor(int count, int type, long offset) {}

  private final ByteBuffer bytes;
  private final Map<String, Object> values = new HashMap<>();
  private final Map<String, Tensor> tensors = new HashMap<>();

  GgufFile(byte[] file) throws IOException {
    bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getInt() != 0x46554747 || bytes.getInt() != 3) {
      throw new IOException("not a GGUF file of version 3");
    }
    long nTensors = bytes.getLong();
    long nValues = bytes.getLong();
    for (long i = 0; i < nValues; ++i) {
      String key = text();
      values.put(key, value(bytes.getInt()));
    }
    Map<String, Tensor> relative = new HashMap<>();
    for (long i = 0; i < nTensors; ++i) {
      String name = text();
      int count = 1;
      for (int d = bytes.getInt(); d > 0; --d) {
        count = Math.multiplyExact(count, Math.toIntExact(bytes.getLong()));
      }
      relative.put(name, new Tensor(count, bytes.getInt(), bytes.getLong()));
    }
    long data = (bytes.position() + 31L) / 32 * 32;
    relative.forEach((name, t) -> tensors.put(name, new Tensor(t.count, t.type, t.offset + data)));
  }

  private String text() {
    byte[] utf8 = new byte[Math.toIntExact(bytes.getLong())];
    bytes.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private Object value(int type) {
    if (type == TEXT) {
      return text();
    }
    if (type == ARRAY) {
      int element = bytes.getInt();
      long n = bytes.getLong();
      List<Object> list = new ArrayList<>();
      for (long i = 0; i < n; ++i) {
        list.add(value(element));
      }
      return list;
    }
    long bits = 0;
    for (int i = 0; i < WIDTH[type]; ++i) {
      bits |= (bytes.get() & 0xFFL) << (8 * i);
    }
    return bits;
  }

  int number(String key) {
    return Math.toIntExact((Long) values.get(key));
  }

  List<String> texts(String key) {
    return ((List<?>) values.get(key)).stream().map(String.class::cast).toList();
  }

  float[] tensor(String name) {
    Tensor t = tensors.get(name);
    float[] out = new float[t.count];
    int at = Math.toIntExact(t.offset);
    for (int i = 0; i < t.count; ++i) {
      if (t.type == 0) {
        out[i] = bytes.getFloat(at + 4 * i);
      } else { // Q8_0: blocks of a half-precision scale and 32 signed bytes
        int block = at + i / 32 * 34;
        out[i] = half(bytes.getShort(block)) * bytes.get(block + 2 + i % 32);
      }
    }
    return out;
  }

  private static float half(int h) {
    int exponent = h >> 10 & 31;
    int fraction = h & 1023;
    float size = exponent == 0 ? Math.scalb((float) fraction, -24) : Math.scalb((float) (1024 + fraction), exponent - 25);
    return h < 0 ? -size : size;
  }
}
