import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The example model of examples/tiny-model in Java: one gated recurrent layer between an embedding and the same embedding as
 * output. Example code, not part of the package; an engine of your own stands here. What a program needs of one: tokens of a text,
 * bytes of a token, and a context that reads tokens and gives the logits of the next in a direct buffer, where a sampler reads them
 * in place.
 */
final class TinyModel {
  /** A matrix, column after column: y += column * x_j is a loop that compilers vectorise without changing a sum. */
  private record Matrix(int rows, float[] byColumn) {
    static Matrix of(float[] byRow, int rows) {
      float[] byColumn = new float[byRow.length];
      int columns = byRow.length / rows;
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
          byColumn[c * rows + r] = byRow[r * columns + c];
        }
      }
      return new Matrix(rows, byColumn);
    }

    /** y = start + M x, where x begins at an offset. */
    void times(float[] x, int at, int columns, float[] start, float[] y) {
      System.arraycopy(start, 0, y, 0, rows);
      for (int c = 0; c < columns; ++c) {
        int column = c * rows;
        float value = x[at + c];
        for (int r = 0; r < rows; ++r) {
          y[r] += byColumn[column + r] * value;
        }
      }
    }
  }

  private final byte[] file;
  private final TinyTokenizer tokenizer;
  private final int nVocab;
  private final int eos;
  private final float[] embedding;
  private final Matrix output;
  private final Matrix input;
  private final Matrix state;
  private final float[] outputBias;
  private final float[] inputBias;
  private final float[] stateBias;
  private final int hidden;

  /** The model of this tree; the property tiny.model names another place of its file. */
  static TinyModel load() {
    try {
      return new TinyModel(Files.readAllBytes(Path.of(System.getProperty("tiny.model", "examples/tiny-model/tiny-model.gguf"))));
    } catch (IOException e) {
      throw new UncheckedIOException("run this in the top folder of the tree, or name the model with -Dtiny.model=FILE", e);
    }
  }

  private TinyModel(byte[] file) throws IOException {
    this.file = file;
    GgufFile gguf = new GgufFile(file);
    hidden = gguf.number("bankml-tiny-gru.embedding_length");
    nVocab = gguf.texts("tokenizer.ggml.tokens").size();
    eos = gguf.number("tokenizer.ggml.eos_token_id");
    tokenizer = new TinyTokenizer(gguf.texts("tokenizer.ggml.tokens"), gguf.texts("tokenizer.ggml.merges"), eos);
    embedding = gguf.tensor("token_embd.weight");
    output = Matrix.of(embedding, nVocab);
    input = Matrix.of(gguf.tensor("gru.input.weight"), 3 * hidden);
    state = Matrix.of(gguf.tensor("gru.state.weight"), 3 * hidden);
    outputBias = gguf.tensor("output.bias");
    inputBias = gguf.tensor("gru.input.bias");
    stateBias = gguf.tensor("gru.state.bias");
  }

  /** The model file: vocabulary and sampling defaults are read from it. */
  byte[] gguf() {
    return file;
  }

  int nVocab() {
    return nVocab;
  }

  int eos() {
    return eos;
  }

  byte[] piece(int token) {
    return tokenizer.piece(token);
  }

  int[] tokenize(String text) {
    return tokenize(text.getBytes(StandardCharsets.UTF_8));
  }

  int[] tokenize(byte[] text) {
    return tokenizer.encode(text);
  }

  /** At the start of a story. */
  Context context() {
    return new Context();
  }

  /** The state of one sequence. */
  final class Context {
    private final float[] h = new float[hidden];
    private final float[] a = new float[3 * hidden];
    private final float[] u = new float[3 * hidden];
    private final float[] row = new float[nVocab];
    private final FloatBuffer logits = ByteBuffer.allocateDirect(4 * nVocab).order(ByteOrder.nativeOrder()).asFloatBuffer();

    private Context() {
      read(eos); // a story starts where another one ended
    }

    /** The logits of the next token; the buffer stays the same, its contents change with each read. */
    FloatBuffer logits() {
      return logits;
    }

    /** Reads tokens. */
    void read(int... tokens) {
      for (int token : tokens) {
        step(token);
      }
      output.times(h, 0, hidden, outputBias, row);
      logits.put(0, row);
    }

    private void step(int token) {
      int n = hidden;
      input.times(embedding, token * n, n, inputBias, a);
      state.times(h, 0, n, stateBias, u);
      for (int i = 0; i < n; ++i) {
        float z = sigmoid(a[i] + u[i]);
        float r = sigmoid(a[n + i] + u[n + i]);
        float fresh = (float) Math.tanh(a[2 * n + i] + r * u[2 * n + i]);
        h[i] = (1 - z) * fresh + z * h[i];
      }
    }
  }

  private static float sigmoid(float x) {
    return 1 / (1 + (float) Math.exp(-x));
  }
}
