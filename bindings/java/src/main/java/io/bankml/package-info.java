/**
 * Samplers over logits: {@link io.bankml.Sampler} draws, {@link io.bankml.Params} says how, {@link io.bankml.Vocab} holds the token
 * texts where steps need them, {@link io.bankml.Grammar} says what the text may be, {@link io.bankml.Stop} where it ends;
 * {@link io.bankml.Reply} writes probabilities as a server's JSON.
 *
 * <p><b>Threads.</b> Different samplers may be used from different threads at the same time. One sampler must not be used by two
 * threads at once; in Java its methods are synchronized, so a second thread waits instead of corrupting state. The library has no
 * global mutable state. Vocabularies are immutable and may be shared by any number of threads; a workspace or a pool in use by
 * another thread gives {@link io.bankml.BusyException}. {@link io.bankml.Batch} draws for many samplers in one call, on the threads
 * of a {@link io.bankml.Pool}.
 *
 * <p><b>Closing.</b> Every object that owns native memory is {@link AutoCloseable} and meant for try-with-resources. Closing twice
 * is fine; any other call after it is an {@link IllegalStateException}. An object that was forgotten is freed some time after it
 * has become unreachable.
 *
 * <p><b>Errors</b> are unchecked, and after any of them the object is as it was before the call. Their texts name the parameter and
 * the value. See {@link io.bankml.BankmlException} and {@link io.bankml.InvalidArgumentException}.
 */
package io.bankml;
