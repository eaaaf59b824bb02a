# Compiler flags of the project, in one list: exact arithmetic, warnings, hidden symbols. Only the project's own targets use them;
# nothing of it reaches a consumer.
add_library(bankml_flags INTERFACE)
target_compile_features(bankml_flags INTERFACE cxx_std_20)
target_include_directories(bankml_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/capi/include)
target_compile_options(bankml_flags INTERFACE
  -ffp-contract=off -fvisibility=hidden $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)

# Sanitizers go over everything that the tree builds, since a program and its libraries must agree on them.
set(BANKML_SANITIZE "" CACHE STRING "Sanitizers of the whole tree, as -fsanitize takes them (address,undefined)")
if(BANKML_SANITIZE)
  add_compile_options(-fsanitize=${BANKML_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${BANKML_SANITIZE})
endif()
