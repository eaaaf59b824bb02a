package io.bankml;

import java.util.List;

/**
 * One row of the parameter table.
 *
 * @param kind the type of its value
 * @param name canonical name, llama-server's request field where it has one
 * @param aliases other accepted names; unmodifiable
 * @param step the step that reads it, empty if none
 * @param doc one line
 * @param defaultJson default of the profile {@code llama} as JSON text
 * @param min lower end of the accepted range, inclusive
 * @param max upper end of the accepted range, inclusive
 */
public record ParamSpec(
    Kind kind, String name, List<String> aliases, String step, String doc, String defaultJson, double min, double max) {
  /** Types of values. */
  public enum Kind {
    /** A 32-bit integer, unsigned for {@code seed}. */
    INTEGER,
    /** A float32. */
    NUMBER,
    /** true or false. */
    BOOLEAN,
    /** An array or object. */
    JSON
  }

  /**
   * A row; the list is copied.
   *
   * @param kind the type of its value
   * @param name canonical name
   * @param aliases other accepted names
   * @param step the step that reads it, empty if none
   * @param doc one line
   * @param defaultJson default as JSON text
   * @param min lower end of the accepted range
   * @param max upper end of the accepted range
   */
  public ParamSpec {
    aliases = List.copyOf(aliases);
  }
}
