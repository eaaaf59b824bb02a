// The bytes of tiny-model.gguf inside the program, placed by the assembler: no generated source, no path at run time.
// CMakeLists.txt defines TINY_MODEL_FILE and makes this file depend on it.
//
// Tested by examples/tiny-model/tiny_model_test.cpp
#if defined(__APPLE__)
#define TINY_SECTION ".section __DATA,__const\n"
#define TINY_SYMBOL(name) "_" #name
#else
#define TINY_SECTION ".section .rodata\n"
#define TINY_SYMBOL(name) #name
#endif
#define TINY_GLOBAL(name) ".globl " TINY_SYMBOL(name) "\n" TINY_SYMBOL(name) ":\n"

__asm__(TINY_SECTION ".balign 16\n"                                           //
        TINY_GLOBAL(tiny_model_embedded) ".incbin \"" TINY_MODEL_FILE "\"\n"  //
        TINY_GLOBAL(tiny_model_embedded_end) ".byte 0\n.text\n");
