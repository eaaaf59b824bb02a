package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Failures;
import io.bankml.internal.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Options of a {@link Grammar}: {@code Grammar.builder().root("value").build(vocab, text)}. They are checked by {@link #build}, in
 * the order in which they were given.
 */
public final class GrammarBuilder {
  private final List<ToIntFunction<Long>> options = new ArrayList<>();

  GrammarBuilder() {}

  /**
   * The rule with which the text begins; default "root".
   *
   * @param rule its name
   * @return this
   */
  public GrammarBuilder root(String rule) {
    byte[] value = Texts.zeroTerminated("root", rule);
    return then(o -> BankmlNative.grammar_options_set_string(o, name("root"), value));
  }

  /**
   * What tokens mean; default "llama".
   *
   * @param name "llama": what llama.cpp allows and accepts. "strict": pieces are read as UTF-8 is defined, control and unused tokens
   *     match token references alone, a token is allowed only if something completes the text behind it, and end tokens exactly where
   *     the text is complete
   * @return this
   */
  public GrammarBuilder dialect(String name) {
    byte[] value = Texts.zeroTerminated("dialect", name);
    return then(o -> BankmlNative.grammar_options_set_string(o, name("dialect"), value));
  }

  /**
   * The most elements that the rules may have once repetitions are written out; default 1,000,000.
   *
   * @param most 1 ... 100,000,000
   * @return this
   */
  public GrammarBuilder maxStates(int most) {
    return then(o -> BankmlNative.grammar_options_set_number(o, name("max_states"), most));
  }

  /**
   * The most memory that the states met may take; default 67,108,864 bytes.
   *
   * @param most bytes, 1 or more
   * @return this
   */
  public GrammarBuilder maxBytes(long most) {
    return then(o -> BankmlNative.grammar_options_set_number(o, name("max_bytes"), most));
  }

  /**
   * The token that a reference {@code <text>} stands for, where that is no special piece of the vocabulary.
   *
   * @param reference the text with both angle brackets
   * @param token its id
   * @return this
   */
  public GrammarBuilder tokenText(String reference, int token) {
    byte[] bytes = Texts.utf8(reference);
    return then(o -> BankmlNative.grammar_options_token_text(o, bytes, token));
  }

  /**
   * A token that wakes the grammar; its text begins with it. Any trigger makes the grammar lazy: everything is allowed and accepted
   * until one of them, tried in the order in which they were given, wakes it.
   *
   * @param token its id
   * @return this
   */
  public GrammarBuilder triggerToken(int token) {
    return trigger(BankmlNative.BANKML_TRIGGER_TOKEN, new byte[0], token);
  }

  /**
   * A text that wakes the grammar ({@link #triggerToken}), anywhere in what was accepted since construction or reset; the grammar's
   * text begins with it.
   *
   * @param word the text
   * @return this
   */
  public GrammarBuilder triggerWord(String word) {
    return trigger(BankmlNative.BANKML_TRIGGER_WORD, Texts.utf8(word), -1);
  }

  /**
   * A regular expression whose match wakes the grammar ({@link #triggerToken}), anywhere in what was accepted since construction or
   * reset. Where it has groups, the grammar's text begins with the first that is not empty, else with the whole match.
   *
   * @param pattern C++'s {@code std::regex} (ECMAScript over bytes) without look-ahead and back-references; searched in linear time
   * @return this
   */
  public GrammarBuilder triggerPattern(String pattern) {
    return trigger(BankmlNative.BANKML_TRIGGER_PATTERN, Texts.utf8(pattern), -1);
  }

  /**
   * As {@link #triggerPattern}, for all of what was accepted since construction or reset.
   *
   * @param pattern as there
   * @return this
   */
  public GrammarBuilder triggerPatternFull(String pattern) {
    return trigger(BankmlNative.BANKML_TRIGGER_PATTERN_FULL, Texts.utf8(pattern), -1);
  }

  /**
   * A grammar with the options given so far. The builder may be used again.
   *
   * @param vocab the token texts; shared
   * @param gbnf the rules in llama.cpp's GBNF; an empty text constrains nothing
   * @return the grammar, which the caller closes
   * @throws InvalidArgumentException for the first option that is refused, and for a malformed text ({@link ErrorCode#PARSE};
   *     "grammar, line L, column C: " and llama.cpp's words; "trigger I: pattern, position P: " for a pattern)
   * @throws BankmlException with {@link ErrorCode#LIMIT} if more than maxStates or maxBytes would be needed
   */
  public Grammar build(Vocab vocab, String gbnf) {
    return build(vocab, gbnf, BankmlNative::grammar_from_gbnf);
  }

  /**
   * A grammar from a JSON schema, with the options given so far, of which {@code dialect("llama")} must be one: the language of
   * llama.cpp's own converter, its quirks included.
   *
   * @param vocab the token texts; shared
   * @param json the schema
   * @return the grammar, which the caller closes
   * @throws InvalidArgumentException for a refused schema ({@link ErrorCode#SCHEMA}; llama.cpp's words) and for malformed JSON
   * @throws BankmlException with {@link ErrorCode#LIMIT} if more than maxStates or maxBytes would be needed
   */
  public Grammar buildFromSchema(Vocab vocab, String json) {
    return build(vocab, json, BankmlNative::grammar_from_schema);
  }

  @FunctionalInterface
  private interface Make {
    long of(long vocab, byte[] text, long options, byte[] error);
  }

  private Grammar build(Vocab vocab, String words, Make make) {
    byte[] text = Texts.utf8(words);
    byte[] error = new byte[Texts.ERROR_BYTES];
    return vocab.with(v -> {
      long o = BankmlNative.grammar_options_new(error);
      if (o == 0) {
        throw Failures.ofConstructor(error);
      }
      try {
        for (ToIntFunction<Long> option : options) {
          int status = option.applyAsInt(o);
          if (status != 0) {
            throw Failures.of(status, Texts.text(BankmlNative.grammar_options_error(o)));
          }
        }
        return new Grammar(make.of(v, text, o, error), error, (int) BankmlNative.vocab_size(v));
      } finally {
        BankmlNative.grammar_options_free(o);
      }
    });
  }

  private GrammarBuilder trigger(int kind, byte[] bytes, int token) {
    then(o -> BankmlNative.grammar_options_set_number(o, name("lazy"), 1));
    return then(o -> BankmlNative.grammar_options_trigger(o, kind, bytes, token));
  }

  private static byte[] name(String name) {
    return Texts.zeroTerminated("name", name);
  }

  private GrammarBuilder then(ToIntFunction<Long> option) {
    options.add(option);
    return this;
  }
}
