package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What lies in the jars. */
class JarIT {
  private static final String NATIVE = "io/bankml/native/" + Jvm.PLATFORM + "/" + System.mapLibraryName("bankml_jni");

  private static Set<String> files(String classifier) throws Exception {
    try (JarFile jar = new JarFile(Jvm.jar(classifier))) {
      return jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(entry -> entry.getName())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static ModuleDescriptor module(String classifier) {
    return ModuleFinder.of(Path.of(Jvm.jar(classifier))).findAll().iterator().next().descriptor();
  }

  @Test
  void the_main_jar_has_classes_and_the_library_and_nothing_else() throws Exception {
    for (String name : files("")) {
      assertTrue(
          name.matches("io/bankml/(internal/)?[\\w$-]+\\.class") || name.startsWith("META-INF/") || name.equals("module-info.class")
              || name.equals("io/bankml/internal/platforms.txt") || name.equals(NATIVE), name);
    }
    assertTrue(files("").containsAll(List.of(NATIVE, "io/bankml/Sampler.class", "META-INF/LICENSE")));
  }

  @Test
  void the_module_exports_one_package() {
    for (String classifier : new String[] {"", "without-natives"}) {
      ModuleDescriptor module = module(classifier);
      assertEquals("io.bankml", module.name());
      assertEquals(List.of("io.bankml"), module.exports().stream().map(ModuleDescriptor.Exports::source).toList());
      assertEquals(List.of("java.base"), module.requires().stream().map(ModuleDescriptor.Requires::name).toList());
    }
    assertEquals("io.bankml.natives", module("natives-" + Jvm.PLATFORM).name());
  }

  @Test
  void with_and_without_natives_make_up_the_main_jar() throws Exception {
    Set<String> without = files("without-natives");
    assertFalse(without.contains(NATIVE));
    Set<String> both = files("natives-" + Jvm.PLATFORM);
    assertTrue(both.contains(NATIVE));
    both.removeIf(name -> name.startsWith("META-INF/"));
    assertEquals(Set.of(NATIVE), both);
    without.addAll(both);
    assertEquals(files(""), without);
  }

  @Test
  void sources_and_documentation() throws Exception {
    Set<String> sources = files("sources");
    assertTrue(sources.containsAll(List.of("io/bankml/Sampler.java", "io/bankml/internal/BankmlNativeJNI.java")));
    Set<String> pages = files("javadoc");
    assertTrue(pages.contains("io.bankml/io/bankml/Sampler.html"));
    assertFalse(pages.stream().anyMatch(name -> name.contains("internal")));
  }
}
