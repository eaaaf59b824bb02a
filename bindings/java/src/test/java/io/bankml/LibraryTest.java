package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bankml.internal.BankmlNative;
import io.bankml.internal.BankmlNativeConstants;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The library as a whole, and that what Java repeats of it (versions, codes, parameter names) is what it says. */
class LibraryTest {
  @Test
  void the_version_is_one() throws Exception {
    String version = Files.readString(Path.of(System.getProperty("bankml.tree"), "VERSION")).strip();
    assertEquals(version, Bankml.version());
    assertEquals(version, System.getProperty("bankml.pom.version"));
    assertEquals(BankmlNative.BANKML_ABI_VERSION, Bankml.abiVersion());
  }

  @Test
  void this_process_computes_exactly() {
    assertTrue(Bankml.selfCheck().lines().count() > 3, Bankml.selfCheck());
  }

  @Test
  void processor_levels() {
    String best = Bankml.cpuName();
    assertTrue(Bankml.cpuLevels().contains("scalar"));
    assertTrue(Bankml.cpuLevels().contains(best));
    try {
      Bankml.cpuForce("scalar");
      assertEquals("scalar", Bankml.cpuName());
    } finally {
      Bankml.cpuForce("auto");
    }
    assertEquals(best, Bankml.cpuName());
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> Bankml.cpuForce("mmx"));
    assertTrue(e.getMessage().contains("mmx"), e.getMessage());
  }

  @Test
  void error_codes_are_those_of_the_header() throws Exception {
    Set<String> checked = new TreeSet<>();
    for (ErrorCode code : ErrorCode.values()) {
      Field constant = BankmlNativeConstants.class.getField("BANKML_" + code.name());
      assertEquals(constant.getInt(null), code.value(), code.name());
      assertSame(code, ErrorCode.of(code.value()));
      checked.add(constant.getName());
    }
    Set<String> statuses = Arrays.stream(BankmlNativeConstants.class.getFields())
        .map(Field::getName)
        .filter(name -> !name.matches("BANKML_(OK|(ABI_)?VERSION.*|KIND_.*|TOKEN_.*|GRAMMAR_.*|TRIGGER_.*|STOP_.*|REPLY_.*)"))
        .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(statuses, checked);
    assertSame(ErrorCode.INTERNAL, ErrorCode.of(4711));
  }

  @Test
  void the_table_names_range_and_default() {
    ParamSpec topK = row("top_k");
    assertEquals(ParamSpec.Kind.INTEGER, topK.kind());
    assertEquals("40", topK.defaultJson());
    assertEquals("top_k", topK.step());
    assertTrue(topK.max() > 1e9);
    assertFalse(topK.doc().isEmpty());
    assertTrue(row("temperature").aliases().contains("temp"));
  }

  private static ParamSpec row(String name) {
    return Bankml.parameters().stream().filter(spec -> spec.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void the_builder_has_a_method_for_every_parameter() {
    Set<String> methods = Arrays.stream(ParamsBuilder.class.getMethods()).map(Method::getName).collect(Collectors.toSet());
    for (ParamSpec spec : Bankml.parameters()) {
      String name = Arrays.stream(spec.name().split("_")).map(word -> word.substring(0, 1).toUpperCase() + word.substring(1))
          .collect(Collectors.joining());
      assertTrue(methods.contains(name.substring(0, 1).toLowerCase() + name.substring(1)), spec.name());
    }
  }
}
