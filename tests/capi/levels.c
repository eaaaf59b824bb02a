/* Prints the CPU levels that this machine can run, one a line: what scripts/test forces one by one. */
#include <stdio.h>

#include "bankml.h"

int main(void) {
  size_t i;
  for (i = 0; bankml_cpu_level(i) != NULL; ++i) puts(bankml_cpu_level(i));
  return i == 0;
}
