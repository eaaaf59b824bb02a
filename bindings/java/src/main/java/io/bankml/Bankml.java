package io.bankml;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.Failures;
import io.bankml.internal.NativeLoader;
import io.bankml.internal.Texts;
import java.util.ArrayList;
import java.util.List;

/** The library as a whole: version, self-check, processor levels, the parameter table. All of it may be called from any thread. */
public final class Bankml {
  private Bankml() {}

  /**
   * The version of the native library.
   *
   * @return for instance "0.1.0"
   * @throws NativeLibraryException if the native library cannot be loaded
   */
  public static String version() {
    NativeLoader.load();
    return Texts.text(BankmlNative.version_string());
  }

  /**
   * The version of the native library's C interface.
   *
   * @return a small number
   */
  public static int abiVersion() {
    NativeLoader.load();
    return (int) BankmlNative.abi_version();
  }

  /**
   * Proves that this process computes exactly: no fused multiply-add, subnormals kept, float functions and one golden draw with
   * their expected bits, at every processor level of this machine.
   *
   * @return one line per check
   * @throws BankmlException with {@link ErrorCode#INTERNAL} and the report, if a check fails
   */
  public static String selfCheck() {
    NativeLoader.load();
    byte[] report = new byte[8192];
    int status = BankmlNative.self_check(report);
    if (status != 0) {
      throw Failures.of(status, Texts.upToZero(report));
    }
    return Texts.upToZero(report);
  }

  /**
   * The processor level that objects made from now on use. Results are equal at every level.
   *
   * @return "scalar", "avx2", "avx512" or "neon"
   */
  public static String cpuName() {
    NativeLoader.load();
    return Texts.text(BankmlNative.cpu_name());
  }

  /**
   * The processor levels that this machine can run.
   *
   * @return their names, slowest first; unmodifiable
   */
  public static List<String> cpuLevels() {
    NativeLoader.load();
    List<String> names = new ArrayList<>();
    for (byte[] name; (name = BankmlNative.cpu_level(names.size())) != null; ) {
      names.add(Texts.text(name));
    }
    return List.copyOf(names);
  }

  /**
   * For tests and benches: forces a processor level for objects made later. It is the one value that the whole process shares.
   *
   * @param name one of {@link #cpuLevels}; "auto" = the best
   * @throws InvalidArgumentException if the machine lacks it
   */
  public static void cpuForce(String name) {
    NativeLoader.load();
    int status = BankmlNative.cpu_force(Texts.zeroTerminated("name", name));
    if (status != 0) {
      throw Failures.of(status, "this machine has no CPU level '" + name + "'");
    }
  }

  /**
   * The parameter table.
   *
   * @return one row a parameter; unmodifiable
   */
  public static List<ParamSpec> parameters() {
    NativeLoader.load();
    List<ParamSpec> rows = new ArrayList<>();
    for (long i = 0; i < BankmlNative.param_count(); ++i) {
      String aliases = Texts.text(BankmlNative.flat_param_aliases(i));
      rows.add(
          new ParamSpec(
              ParamSpec.Kind.values()[BankmlNative.flat_param_kind(i) - 1],
              Texts.text(BankmlNative.flat_param_name(i)),
              aliases.isEmpty() ? List.of() : List.of(aliases.split(",")),
              Texts.text(BankmlNative.flat_param_step(i)),
              Texts.text(BankmlNative.flat_param_doc(i)),
              Texts.text(BankmlNative.flat_param_default(i)),
              BankmlNative.flat_param_min(i),
              BankmlNative.flat_param_max(i)));
    }
    return List.copyOf(rows);
  }
}
