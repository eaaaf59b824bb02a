package io.bankml.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The table that names platforms: what the VM, CMake and Maven call one machine is one folder. */
class PlatformTest {
  @Test
  void names_as_virtual_machines_spell_them() {
    assertEquals("linux-x86_64", Platform.name("Linux", "amd64"));
    assertEquals("linux-x86_64", Platform.name("Linux", "x86_64"));
    assertEquals("linux-aarch64", Platform.name("Linux", "aarch64"));
    assertEquals("macos-aarch64", Platform.name("Mac OS X", "aarch64"));
    assertEquals("macos-x86_64", Platform.name("Darwin", "x86_64"));
    assertEquals("windows-x86_64", Platform.name("Windows Server 2022", "amd64"));
    assertEquals("windows-aarch64", Platform.name("Windows 11", "ARM64"));
    assertNull(Platform.name("AIX", "ppc64"));
    assertNull(Platform.name("Linux", "riscv64"));
  }

  @Test
  void maven_and_cmake_agree_with_the_loader() {
    assertEquals(System.getProperty("bankml.platform"), Platform.name());
    assertNotNull(getClass().getResource("/io/bankml/native/" + Platform.name() + "/" + System.mapLibraryName("bankml_jni")));
  }

  @Test
  void the_c_library_is_read_from_the_mappings() {
    assertEquals("musl", Platform.libcOf(List.of("7f00-7f10 r-xp 0 fe:01 1 /lib/ld-musl-x86_64.so.1")));
    assertEquals("glibc", Platform.libcOf(List.of("7f00-7f10 r-xp 0 fe:01 1 /lib/x86_64-linux-gnu/libc.so.6")));
    assertEquals("glibc", Platform.libc());
  }
}
