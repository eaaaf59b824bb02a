package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Direct;
import io.bankml.internal.Failures;
import io.bankml.internal.Handle;
import io.bankml.internal.Json;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongFunction;

/**
 * How to sample: every parameter of the chain by its llama-server name. Values come one by one, by {@link #builder}, from a whole
 * request body or from a model file; {@link Bankml#parameters} lists them with ranges and defaults.
 *
 * <p>A sampler copies the params it is made from. Methods are synchronized.
 */
public final class Params implements AutoCloseable {
  private static final String REQUEST_FORMAT = "llama-server";
  /** About what the native object holds. */
  private static final long BYTES = 4096;

  private final Handle handle;

  /** Params with the defaults of llama-server. */
  public Params() {
    this("llama");
  }

  /**
   * Params with the defaults of a profile.
   *
   * @param profile "llama"
   * @throws InvalidArgumentException for an unknown profile
   */
  public Params(String profile) {
    NativeLoader.load();
    byte[] error = new byte[Texts.ERROR_BYTES];
    handle = handleOf(BankmlNative.params_new(Texts.zeroTerminated("profile", profile), error), error);
  }

  private Params(Params other) {
    byte[] error = new byte[Texts.ERROR_BYTES];
    handle = handleOf(other.with(p -> BankmlNative.params_clone(p, error)), error);
  }

  private Handle handleOf(long p, byte[] error) {
    if (p == 0) {
      throw Failures.ofConstructor(error);
    }
    return new Handle(this, "params", p, BankmlNative::params_free, BYTES);
  }

  /**
   * Params in one expression, one method per parameter.
   *
   * @return an empty builder
   */
  public static ParamsBuilder builder() {
    return new ParamsBuilder();
  }

  /**
   * An independent copy.
   *
   * @return params with the same values
   */
  public Params copy() {
    return new Params(this);
  }

  /**
   * Sets a number.
   *
   * @param name canonical name or alias
   * @param value within the range of the table; a fraction is refused for integers
   * @return this
   * @throws InvalidArgumentException for an unknown name, NaN, an infinity, a value out of range; the text names both
   */
  public Params set(String name, double value) {
    byte[] key = Texts.zeroTerminated("name", name);
    return check(p -> BankmlNative.params_set_number(p, key, value));
  }

  /**
   * Sets a switch.
   *
   * @param name canonical name or alias
   * @param value on or off
   * @return this
   * @throws InvalidArgumentException for an unknown name
   */
  public Params set(String name, boolean value) {
    return set(name, value ? 1 : 0);
  }

  /**
   * Sets {@code samplers} as step letters ("dkypmxt") or step names separated by ';', or {@code disable} as names separated by ','.
   *
   * @param name "samplers" or "disable"
   * @param value the text
   * @return this
   * @throws InvalidArgumentException for another name, or an unknown step
   */
  public Params set(String name, String value) {
    byte[] key = Texts.zeroTerminated("name", name);
    byte[] text = Texts.zeroTerminated(name, value);
    return check(p -> BankmlNative.params_set_string(p, key, text));
  }

  /**
   * Sets a list of texts: {@code samplers}, {@code dry_sequence_breakers} or {@code disable}.
   *
   * @param name canonical name or alias
   * @param values the texts; may be empty
   * @return this
   * @throws InvalidArgumentException for an unknown name, or a text that the parameter refuses
   */
  public Params set(String name, Collection<String> values) {
    return setJson(name, Json.strings(values));
  }

  /**
   * Sets any parameter from JSON text.
   *
   * @param name canonical name or alias
   * @param json the value, for instance {@code [[15043, -1.5]]} for {@code logit_bias}
   * @return this
   * @throws InvalidArgumentException for an unknown name, malformed JSON or a value that the parameter refuses
   */
  public Params setJson(String name, String json) {
    byte[] key = Texts.zeroTerminated("name", name);
    byte[] text = Texts.utf8(json);
    return check(p -> BankmlNative.params_set_json(p, key, text));
  }

  /**
   * Loads a whole request body of llama-server. Fields that are given replace values in force; clamps and refusals are that
   * server's.
   *
   * @param json the request
   * @return this
   * @throws InvalidArgumentException as that server refuses it
   */
  public Params load(String json) {
    return load(REQUEST_FORMAT, json);
  }

  /**
   * Loads a whole request.
   *
   * @param format "llama-server"
   * @param json the request
   * @return this
   * @throws InvalidArgumentException for an unknown format, or a request that is refused
   */
  public Params load(String format, String json) {
    byte[] key = Texts.zeroTerminated("format", format);
    byte[] text = Texts.utf8(json);
    return check(p -> BankmlNative.params_load_json(p, key, text));
  }

  /**
   * Whether {@link #load} refuses fields that it does not know. Default off.
   *
   * @param on true: refuse
   * @return this
   */
  public Params strict(boolean on) {
    return check(p -> BankmlNative.params_strict(p, on ? 1 : 0));
  }

  /**
   * Loads a model file's own defaults: its metadata {@code general.sampling.*}. A value of a wrong type is ignored with a warning.
   *
   * @param path a GGUF file
   * @return this
   * @throws InvalidArgumentException if the file is malformed
   * @throws BankmlException with {@link ErrorCode#IO} if it cannot be read
   */
  public Params loadGguf(Path path) {
    byte[] name = Texts.zeroTerminated(path);
    return check(p -> BankmlNative.params_load_gguf(p, name));
  }

  /**
   * The same from a GGUF file in memory.
   *
   * @param file its bytes
   * @return this
   * @throws InvalidArgumentException if the bytes are malformed
   */
  public Params loadGguf(byte[] file) {
    return loadGguf(ByteBuffer.wrap(file));
  }

  /**
   * The same from a GGUF file in memory, for instance one that is mapped.
   *
   * @param file its bytes from position to limit; a direct buffer is read in place
   * @return this
   * @throws InvalidArgumentException if the bytes are malformed
   */
  public Params loadGguf(ByteBuffer file) {
    ByteBuffer direct = Vocab.direct(file);
    return check(p -> BankmlNative.java_load_gguf(p, direct, direct.position(), direct.remaining()));
  }

  /**
   * A number or switch in force.
   *
   * @param name canonical name or alias
   * @return its value; 0 or 1 for switches
   * @throws InvalidArgumentException for an unknown name, or a parameter that is an array or object
   */
  public double number(String name) {
    byte[] key = Texts.zeroTerminated("name", name);
    double[] value = new double[1];
    check(p -> BankmlNative.java_get_number(p, key, value));
    return value[0];
  }

  /**
   * Any value in force.
   *
   * @param name canonical name or alias
   * @return it as JSON text
   * @throws InvalidArgumentException for an unknown name
   */
  public String json(String name) {
    byte[] key = Texts.zeroTerminated("name", name);
    byte[] text = with(p -> BankmlNative.java_get_json(p, key));
    if (text == null) {
      throw new InvalidArgumentException(ErrorCode.ARG, "unknown parameter '" + name + "'");
    }
    return Texts.text(text);
  }

  /**
   * All values in force.
   *
   * @return one JSON object
   */
  public String toJson() {
    return Texts.text(with(BankmlNative::java_to_json));
  }

  /**
   * Where a value came from.
   *
   * @param name canonical name or alias
   * @return "default", "set", "request", "gguf:general.sampling.temp", ...
   * @throws InvalidArgumentException for an unknown name
   */
  public String origin(String name) {
    byte[] key = Texts.zeroTerminated("name", name);
    byte[] text = with(p -> BankmlNative.params_origin(p, key));
    if (text == null) {
      throw new InvalidArgumentException(ErrorCode.ARG, "unknown parameter '" + name + "'");
    }
    return Texts.text(text);
  }

  /**
   * What was ignored or dropped.
   *
   * @return one text each, oldest first; unmodifiable
   */
  public List<String> warnings() {
    return with(p -> {
      List<String> texts = new ArrayList<>();
      for (byte[] text; (text = BankmlNative.params_warning(p, texts.size())) != null; ) {
        texts.add(Texts.text(text));
      }
      return List.copyOf(texts);
    });
  }

  /**
   * The texts whose tokens must be given with {@link #answer} before a sampler can be made: tails of DRY's breakers, biases on
   * texts. The library has no tokenizer of its own, except for SentencePiece vocabularies from GGUF, which answer themselves.
   *
   * @param vocab the vocabulary of the later sampler; null = none
   * @return the open texts; their places in the list are the numbers for {@link #answer}; unmodifiable
   */
  public List<OpenText> openTexts(Vocab vocab) {
    return with(p -> {
      long packed = vocab == null ? BankmlNative.java_text_count(p, 0) : vocab.with(v -> BankmlNative.java_text_count(p, v));
      throwIfFailed(p, (int) (packed >>> 32));
      List<OpenText> texts = new ArrayList<>();
      for (int i = 0; i < (int) packed; ++i) {
        texts.add(new OpenText(BankmlNative.java_text_bytes(p, i), Texts.text(BankmlNative.java_text_purpose(p, i))));
      }
      return List.copyOf(texts);
    });
  }

  /**
   * Gives the tokens of an open text.
   *
   * @param i its place in the list of the last {@link #openTexts}
   * @param tokens its tokens, without specials
   * @return this
   * @throws InvalidArgumentException if there is no such text, or a token is negative
   */
  public Params answer(int i, int... tokens) {
    return check(p -> BankmlNative.java_answer(p, i, Direct.ints(tokens.length).put(0, tokens), 0, tokens.length));
  }

  private Params check(LongFunction<Integer> call) {
    return with(p -> {
      throwIfFailed(p, call.apply(p));
      return this;
    });
  }

  private static void throwIfFailed(long p, int status) {
    if (status != 0) {
      throw Failures.of(status, Texts.text(BankmlNative.params_error(p)));
    }
  }

  /** Runs a native call that may not meet {@link #close}. */
  synchronized <T> T with(LongFunction<T> call) {
    try {
      return call.apply(handle.get());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Gives the memory back. Samplers made from these params go on. Closing twice is fine. */
  @Override
  public synchronized void close() {
    handle.close();
  }
}
