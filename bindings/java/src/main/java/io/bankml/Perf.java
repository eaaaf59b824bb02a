package io.bankml;

/**
 * Counters of a sampler since its construction or the last reset of the counters.
 *
 * @param draws successful draws
 * @param accepts tokens accepted
 * @param redraws second draws under a mask
 * @param probCalls calls of {@link Sampler#tokenProbs} and {@link Sampler#postProbs}
 * @param fullSets sets built with one candidate per vocabulary entry
 * @param fullSorts sorts of more than half of the vocabulary
 * @param exps exponentials evaluated
 * @param dryVisits window positions visited by DRY
 * @param randomOutputs 32-bit outputs taken from the random engines
 * @param sampleMicros microseconds in draws; 0 unless {@link Sampler#clock} is on
 * @param acceptMicros microseconds in accepting; 0 unless the clock is on
 */
public record Perf(
    long draws,
    long accepts,
    long redraws,
    long probCalls,
    long fullSets,
    long fullSorts,
    long exps,
    long dryVisits,
    long randomOutputs,
    double sampleMicros,
    double acceptMicros) {}
