/*
 * The built-in kernels, compiled for AVX2.
 */
#include "op/kernels.h"

#if defined(__x86_64__)
#define ISA        avx2
#define ISA_TARGET __attribute__((target("avx2")))
#include "op/kernels.inc"
#endif
