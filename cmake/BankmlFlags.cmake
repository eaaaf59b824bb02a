# Compiler flags of the project, in one list: exact arithmetic, warnings, hidden symbols.
add_library(bankml_flags INTERFACE)
target_compile_features(bankml_flags INTERFACE cxx_std_20)
target_include_directories(bankml_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/capi/include)
target_compile_options(bankml_flags INTERFACE
  -ffp-contract=off -fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
