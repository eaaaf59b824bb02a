package io.bankml.adapter;

import io.bankml.Bankml;
import io.bankml.BankmlException;
import io.bankml.Candidate;
import io.bankml.ErrorCode;
import io.bankml.Grammar;
import io.bankml.GrammarBuilder;
import io.bankml.InvalidArgumentException;
import io.bankml.OpenText;
import io.bankml.ParamSpec;
import io.bankml.Params;
import io.bankml.Sampler;
import io.bankml.TokenProb;
import io.bankml.TokenProbs;
import io.bankml.Vocab;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Lets tests/replay run the recorded cases through the Java package: requests on standard input, answers on standard output, as
 * tests/replay/README.md describes. Only the public classes are used. Rows arrive in turn as a direct buffer, as a part of one, as
 * an array and as a heap buffer, so that every way in is held against the records.
 */
public final class Adapter {
  private final InputStream in = new BufferedInputStream(System.in, 1 << 20);
  private final OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
  private final List<AutoCloseable> handles = new ArrayList<>();
  private ByteBuffer row = ByteBuffer.allocateDirect(0);
  private byte[] raw = new byte[0];
  private int rows;

  public static void main(String[] args) throws Exception {
    Adapter adapter = new Adapter();
    for (String line; (line = adapter.line()) != null; ) {
      adapter.answer(line.split(" "));
      adapter.out.flush();
    }
  }

  private void answer(String[] words) throws Exception {
    Row row = switch (words[0]) {
      case "sample" -> read(words[2]);
      case "sample-constrained" -> read(words[3]);
      case "probs" -> read(words[4]);
      default -> null;
    };
    try {
      reply(words, row);
    } catch (BankmlException e) {
      fail(e.code(), e);
    } catch (InvalidArgumentException e) {
      fail(e.code(), e);
    }
  }

  private void reply(String[] words, Row row) throws Exception {
    switch (words[0]) {
      case "hello" -> ok("java", Bankml.version());
      case "vocab" -> ok(keep(Vocab.fromGguf(Path.of(text(words[1])))));
      case "vocab-info" -> {
        Vocab vocab = vocab(words[1]);
        ok(vocab.size(), vocab.eos(), vocab.eot(), vocab.bos());
      }
      case "piece" -> {
        int token = Integer.parseInt(words[2]);
        ok(hex(vocab(words[1]).piece(token)), vocab(words[1]).flags(token));
      }
      case "tokenize" -> ok(Arrays.stream(vocab(words[1]).tokenize(bytes(words[2]))).boxed().toArray());
      case "params" -> ok(keep(new Params()));
      case "set" -> {
        params(words[1]).setJson(words[2], text(words[3]));
        ok();
      }
      case "load" -> {
        params(words[1]).load(words[2], text(words[3]));
        ok();
      }
      case "get" -> ok(hex(params(words[1]).json(words[2])));
      case "number" -> ok(String.format("%016x", Double.doubleToRawLongBits(params(words[1]).number(words[2]))));
      case "table" -> {
        List<Object> reply = new ArrayList<>();
        for (ParamSpec spec : Bankml.parameters()) {
          reply.addAll(List.of(spec.name(), hex(spec.defaultJson())));
        }
        ok(reply.toArray());
      }
      case "texts" -> {
        List<Object> reply = new ArrayList<>();
        for (OpenText open : params(words[1]).openTexts(words[2].equals("-") ? null : vocab(words[2]))) {
          reply.addAll(List.of(hex(open.bytes()), open.purpose()));
        }
        ok(reply.toArray());
      }
      case "answer" -> {
        params(words[1]).answer(Integer.parseInt(words[2]), tokens(words, 3));
        ok();
      }
      case "sampler" -> {
        Sampler sampler = newSampler(words[1], words[2], Integer.parseInt(words[3]));
        ok(keep(sampler), sampler.nVocab());
      }
      case "keep" -> {
        sampler(words[1]).keep(true);
        ok();
      }
      case "accept" -> {
        int[] tokens = tokens(words, 2);
        if (tokens.length == 1) {
          sampler(words[1]).accept(tokens[0]);
        } else {
          sampler(words[1]).accept(tokens);
        }
        ok();
      }
      case "sample" -> ok(row.sample(sampler(words[1])));
      case "candidates" -> {
        List<Candidate> candidates = sampler(words[1]).candidates();
        ByteBuffer bytes = littleEndian(12 * candidates.size());
        candidates.forEach(c -> bytes.putInt(c.id()).putFloat(c.logit()).putFloat(c.p()));
        ok(candidates.size());
        out.write(bytes.array());
      }
      case "probs" -> {
        TokenProbs probs = row.probs(sampler(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        ByteBuffer bytes = littleEndian(8 * probs.top().size());
        for (TokenProb entry : probs.top()) {
          bytes.putInt(entry.id()).putFloat(entry.p());
        }
        ok(probs.top().size(), Integer.toUnsignedString(Float.floatToRawIntBits(probs.sampledP())));
        out.write(bytes.array());
      }
      case "grammar" -> {
        GrammarBuilder builder = Grammar.builder();
        for (int i = 3; i < words.length; i += 2) {
          switch (words[i]) {
            case "token" -> builder.triggerToken(Integer.parseInt(words[i + 1]));
            case "word" -> builder.triggerWord(text(words[i + 1]));
            case "pattern" -> builder.triggerPattern(text(words[i + 1]));
            default -> builder.triggerPatternFull(text(words[i + 1]));
          }
        }
        ok(keep(builder.build(vocab(words[1]), text(words[2]))));
      }
      case "schema" -> ok(keep(Grammar.fromSchema(vocab(words[1]), text(words[2]))));
      case "mask" -> {
        Grammar grammar = grammar(words[1]);
        int[] mask = new int[(grammar.nVocab() + 31) / 32];
        switch (rows++ % 3) {
          case 0 -> grammar.mask(mask);
          case 1 -> mask = grammar.mask();
          default -> {
            IntBuffer direct = ByteBuffer.allocateDirect(4 * mask.length).order(ByteOrder.nativeOrder()).asIntBuffer();
            grammar.mask(direct);
            direct.get(mask);
          }
        }
        ByteBuffer bytes = littleEndian(4 * mask.length);
        bytes.asIntBuffer().put(mask);
        ok(mask.length);
        out.write(bytes.array());
      }
      case "advance" -> {
        grammar(words[1]).accept(Integer.parseInt(words[2]));
        ok();
      }
      case "sample-constrained" -> {
        Sampler sampler = sampler(words[1]);
        ok(row.constrained(sampler, grammar(words[2])), sampler.redrawn() ? 1 : 0);
      }
      case "free" -> {
        handles.set(Integer.parseInt(words[2]), null).close();
        ok();
      }
      default -> throw new IOException("unknown request " + words[0]);
    }
  }

  // ---- Rows of logits

  private interface Row {
    int sample(Sampler sampler);

    int constrained(Sampler sampler, Grammar grammar);

    TokenProbs probs(Sampler sampler, int sampled, int nTop);
  }

  private Row read(String count) throws IOException {
    int n = Integer.parseInt(count);
    if (raw.length < 4 * n) {
      raw = new byte[4 * n];
      row = ByteBuffer.allocateDirect(4 * n + 12).order(ByteOrder.nativeOrder());
    }
    if (in.readNBytes(raw, 0, 4 * n) != 4 * n) {
      throw new EOFException();
    }
    FloatBuffer values = ByteBuffer.wrap(raw, 0, 4 * n).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    int before = rows % 4 == 1 ? 3 : 0;
    switch (rows++ % 4) {
      case 0, 1: // a direct buffer, whole or a part of a longer one
        FloatBuffer direct = row.asFloatBuffer().position(before).limit(before + n);
        direct.put(before, values, 0, n);
        return buffer(direct);
      case 2: // the heap buffer itself
        return buffer(values);
      default:
        float[] array = new float[n + 5];
        values.get(0, array, 2, n);
        return array(array, 2, n);
    }
  }

  private static Row buffer(FloatBuffer row) {
    return new Row() {
      @Override
      public int sample(Sampler sampler) {
        return sampler.sample(row);
      }

      @Override
      public int constrained(Sampler sampler, Grammar grammar) {
        return sampler.sampleConstrained(row, grammar);
      }

      @Override
      public TokenProbs probs(Sampler sampler, int sampled, int nTop) {
        return sampler.tokenProbs(row, sampled, nTop);
      }
    };
  }

  private static Row array(float[] array, int offset, int n) {
    return new Row() {
      @Override
      public int sample(Sampler sampler) {
        return sampler.sample(array, offset, n);
      }

      @Override
      public int constrained(Sampler sampler, Grammar grammar) {
        return sampler.sampleConstrained(Arrays.copyOfRange(array, offset, offset + n), grammar);
      }

      @Override
      public TokenProbs probs(Sampler sampler, int sampled, int nTop) {
        return sampler.tokenProbs(Arrays.copyOfRange(array, offset, offset + n), sampled, nTop);
      }
    };
  }

  // ---- Handles

  private int keep(AutoCloseable handle) {
    handles.add(handle);
    return handles.size() - 1;
  }

  private Sampler newSampler(String params, String vocab, int nVocab) {
    if (params.equals("-") && vocab.equals("-")) {
      return new Sampler(nVocab);
    }
    if (vocab.equals("-")) {
      return new Sampler(params(params), nVocab);
    }
    if (!params.equals("-")) {
      return new Sampler(params(params), vocab(vocab), nVocab);
    }
    try (Params defaults = new Params()) {
      return new Sampler(defaults, vocab(vocab), nVocab);
    }
  }

  private Vocab vocab(String name) {
    return (Vocab) handles.get(Integer.parseInt(name));
  }

  private Params params(String name) {
    return (Params) handles.get(Integer.parseInt(name));
  }

  private Grammar grammar(String name) {
    return (Grammar) handles.get(Integer.parseInt(name));
  }

  private Sampler sampler(String name) {
    return (Sampler) handles.get(Integer.parseInt(name));
  }

  // ---- Words

  private void ok(Object... words) throws IOException {
    StringBuilder line = new StringBuilder("ok");
    for (Object word : words) {
      line.append(' ').append(word);
    }
    out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
  }

  private void fail(ErrorCode code, RuntimeException e) throws IOException {
    out.write(("error " + code.value() + " " + hex(e.getMessage()) + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c; (c = in.read()) != '\n'; line.append((char) c)) {
      if (c < 0) {
        return null;
      }
    }
    return line.toString();
  }

  private static String hex(byte[] bytes) {
    return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
  }

  private static String hex(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(String hex) {
    return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
  }

  private static String text(String hex) {
    return new String(bytes(hex), StandardCharsets.UTF_8);
  }

  private static int[] tokens(String[] words, int from) {
    return Arrays.stream(words, from, words.length).mapToInt(Integer::parseInt).toArray();
  }

  private static ByteBuffer littleEndian(int n) {
    return ByteBuffer.allocate(n).order(ByteOrder.LITTLE_ENDIAN);
  }
}
