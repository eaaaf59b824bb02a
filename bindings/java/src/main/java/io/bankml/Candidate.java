package io.bankml;

/**
 * A token that survived the chain of the last draw.
 *
 * @param id the token
 * @param logit its logit after the last step
 * @param p its probability after the last step, 0 ... 1
 */
public record Candidate(int id, float logit, float p) {}
