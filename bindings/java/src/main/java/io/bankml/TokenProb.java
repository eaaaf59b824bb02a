package io.bankml;

/**
 * A token and its probability.
 *
 * @param id the token
 * @param p its probability, 0 ... 1; its natural logarithm is the log-probability
 */
public record TokenProb(int id, float p) {}
