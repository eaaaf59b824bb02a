package io.bankml;

import io.bankml.internal.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * {@link Params} in one expression: {@code Params.builder().temperature(0.7).topK(40).seed(42).build()}. Values are checked by
 * {@link #build}, in the order in which they were given. A parameter that is not given keeps llama-server's default.
 */
public final class ParamsBuilder {
  private final List<Consumer<Params>> steps = new ArrayList<>();

  ParamsBuilder() {}

  /**
   * New params with the values given so far. The builder may be used again.
   *
   * @return the params, which the caller closes
   * @throws InvalidArgumentException for the first value that is refused; the text names it
   */
  public Params build() {
    Params params = new Params();
    try {
      steps.forEach(step -> step.accept(params));
    } catch (RuntimeException e) {
      params.close();
      throw e;
    }
    return params;
  }

  private ParamsBuilder then(Consumer<Params> step) {
    steps.add(step);
    return this;
  }

  private ParamsBuilder number(String name, double value) {
    return then(params -> params.set(name, value));
  }

  /**
   * A whole request body of llama-server: {@link Params#load(String)}.
   *
   * @param json the request
   * @return this
   */
  public ParamsBuilder request(String json) {
    return then(params -> params.load(json));
  }

  /**
   * A model file's own defaults: {@link Params#loadGguf(Path)}.
   *
   * @param path a GGUF file
   * @return this
   */
  public ParamsBuilder gguf(Path path) {
    return then(params -> params.loadGguf(path));
  }

  /**
   * Start value of the random generator; equal seeds give equal draws.
   *
   * @param value 0 ... 4294967295; -1 or 4294967295: a random one, which {@link Sampler#seed()} reports
   * @return this
   */
  public ParamsBuilder seed(long value) {
    return number("seed", value);
  }

  /**
   * The steps of the chain in the order in which they run; a step that is not listed does not run.
   *
   * @param names step names, for instance "penalties", "top_k", "top_p", "temperature"
   * @return this
   */
  public ParamsBuilder samplers(String... names) {
    List<String> list = List.of(names);
    return then(params -> params.set("samplers", list));
  }

  /**
   * Adds to single logits before all else.
   *
   * @param biases by token id ({@link Integer}) or by text ({@link String}); minus infinity bans the token
   * @return this
   */
  public ParamsBuilder logitBias(Map<?, ? extends Number> biases) {
    String json = Json.biases(biases);
    return then(params -> params.setJson("logit_bias", json));
  }

  /**
   * Bans every end-of-generation token of the vocabulary, so that generation does not end by itself.
   *
   * @param on true: ban
   * @return this
   */
  public ParamsBuilder ignoreEos(boolean on) {
    return then(params -> params.set("ignore_eos", on));
  }

  /**
   * DRY: texts that end a repeated sequence, so that it is not counted across them. The sampler needs a vocabulary then.
   *
   * @param texts the texts; none = no breakers
   * @return this
   */
  public ParamsBuilder drySequenceBreakers(String... texts) {
    List<String> list = List.of(texts);
    return then(params -> params.set("dry_sequence_breakers", list));
  }

  /**
   * DRY: breakers as token sequences, for hosts that have no pieces.
   *
   * @param sequences first token = head, the rest = tail
   * @return this
   */
  public ParamsBuilder dryBreakerTokens(int[]... sequences) {
    String json = Json.tokenLists(sequences);
    return then(params -> params.setJson("dry_breaker_tokens", json));
  }

  /**
   * Fast paths not to take, for tests and benches; results are the same.
   *
   * @param names their names
   * @return this
   */
  public ParamsBuilder disable(String... names) {
    List<String> list = List.of(names);
    return then(params -> params.set("disable", list));
  }

  /**
   * Window of the three repetition penalties in tokens, prompt included.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder repeatLastN(int value) {
    return number("repeat_last_n", value);
  }

  /**
   * Divides positive logits of tokens in the window and multiplies negative ones.
   *
   * @param value above 0; 1 = off
   * @return this
   */
  public ParamsBuilder repeatPenalty(double value) {
    return number("repeat_penalty", value);
  }

  /**
   * Subtracted from a token's logit once for every time it occurs in the window.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder frequencyPenalty(double value) {
    return number("frequency_penalty", value);
  }

  /**
   * Subtracted once from the logit of every token that occurs in the window.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder presencePenalty(double value) {
    return number("presence_penalty", value);
  }

  /**
   * DRY: strength of the penalty for tokens that would continue a sequence already seen.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder dryMultiplier(double value) {
    return number("dry_multiplier", value);
  }

  /**
   * DRY: the penalty is multiplier * base ^ (repeated length - allowed length).
   *
   * @param value below 1 = off
   * @return this
   */
  public ParamsBuilder dryBase(double value) {
    return number("dry_base", value);
  }

  /**
   * DRY: repeats up to this many tokens are free.
   *
   * @param value 0 or more
   * @return this
   */
  public ParamsBuilder dryAllowedLength(int value) {
    return number("dry_allowed_length", value);
  }

  /**
   * DRY: window in tokens, prompt included.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder dryPenaltyLastN(int value) {
    return number("dry_penalty_last_n", value);
  }

  /**
   * Keeps logits within n standard deviations of the maximum.
   *
   * @param value 0 or less = off
   * @return this
   */
  public ParamsBuilder topNSigma(double value) {
    return number("top_n_sigma", value);
  }

  /**
   * Keeps the k largest logits.
   *
   * @param value 0 or less = off, 1 = always the best
   * @return this
   */
  public ParamsBuilder topK(int value) {
    return number("top_k", value);
  }

  /**
   * Keeps the tokens whose surprise is closest to the expected one, up to this probability mass.
   *
   * @param value 1 = off
   * @return this
   */
  public ParamsBuilder typicalP(double value) {
    return number("typical_p", value);
  }

  /**
   * Nucleus sampling: keeps the most probable tokens that together reach this probability mass.
   *
   * @param value 1 = off
   * @return this
   */
  public ParamsBuilder topP(double value) {
    return number("top_p", value);
  }

  /**
   * Keeps tokens at least this fraction as probable as the best one.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder minP(double value) {
    return number("min_p", value);
  }

  /**
   * Chance that a draw leaves out the top choices, all but the last of those above the threshold.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder xtcProbability(double value) {
    return number("xtc_probability", value);
  }

  /**
   * Probability from which a token counts as a top choice of XTC.
   *
   * @param value above 0.5 = off
   * @return this
   */
  public ParamsBuilder xtcThreshold(double value) {
    return number("xtc_threshold", value);
  }

  /**
   * Divides the logits: below 1 sharpens the distribution, above 1 flattens it.
   *
   * @param value 0 = always the best token
   * @return this
   */
  public ParamsBuilder temperature(double value) {
    return number("temperature", value);
  }

  /**
   * Dynamic temperature: by entropy, the temperature moves within temperature -/+ range.
   *
   * @param value 0 = off
   * @return this
   */
  public ParamsBuilder dynatempRange(double value) {
    return number("dynatemp_range", value);
  }

  /**
   * Dynamic temperature: exponent of the normalised entropy.
   *
   * @param value any number
   * @return this
   */
  public ParamsBuilder dynatempExponent(double value) {
    return number("dynatemp_exponent", value);
  }

  /**
   * Mirostat in the place of the chain's truncating steps.
   *
   * @param value 1 or 2 = its version, 0 = off
   * @return this
   */
  public ParamsBuilder mirostat(int value) {
    return number("mirostat", value);
  }

  /**
   * Mirostat: the surprise in bits that it steers for.
   *
   * @param value any number
   * @return this
   */
  public ParamsBuilder mirostatTau(double value) {
    return number("mirostat_tau", value);
  }

  /**
   * Mirostat: learning rate.
   *
   * @param value any number
   * @return this
   */
  public ParamsBuilder mirostatEta(double value) {
    return number("mirostat_eta", value);
  }

  /**
   * Adaptive-p, when listed in samplers: probability that drawn tokens should have on average.
   *
   * @param value negative = plain draw
   * @return this
   */
  public ParamsBuilder adaptiveTarget(double value) {
    return number("adaptive_target", value);
  }

  /**
   * Adaptive-p: decay of the running average, about 1 / (1 - decay) tokens long.
   *
   * @param value 0 ... 0.99
   * @return this
   */
  public ParamsBuilder adaptiveDecay(double value) {
    return number("adaptive_decay", value);
  }

  /**
   * Typical, top-p, min-p and XTC leave at least this many tokens.
   *
   * @param value 0 or more
   * @return this
   */
  public ParamsBuilder minKeep(int value) {
    return number("min_keep", value);
  }

  /**
   * How many of the most probable tokens a host reports with each draw; the draw is the same.
   *
   * @param value any number
   * @return this
   */
  public ParamsBuilder nProbs(int value) {
    return number("n_probs", value);
  }
}
