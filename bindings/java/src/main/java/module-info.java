/**
 * Native sampling for language models: logits in, a token out, bit for bit what llama.cpp's server draws.
 *
 * <p>Start with {@link io.bankml.Sampler}. From JDK 24 on, give the VM the flag {@code --enable-native-access=io.bankml} (on the
 * class path: {@code --enable-native-access=ALL-UNNAMED}), or it prints a warning when the native library is loaded.
 */
module io.bankml {
  exports io.bankml;
}
