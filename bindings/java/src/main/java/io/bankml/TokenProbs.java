package io.bankml;

import java.util.List;

/**
 * Probabilities of a row of logits.
 *
 * @param sampledP the probability of the token that was named; 0 if none was
 * @param top the most probable tokens, best first; unmodifiable
 */
public record TokenProbs(float sampledP, List<TokenProb> top) {
  /**
   * A result; the list is copied.
   *
   * @param sampledP the probability of the token that was named; 0 if none was
   * @param top the most probable tokens, best first
   */
  public TokenProbs {
    top = List.copyOf(top);
  }
}
