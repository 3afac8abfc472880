/*
 * The built-in kernels, compiled for AVX-512.
 */
#include "op/kernels.h"

#if defined(__x86_64__)
#define ISA        avx512
#define ISA_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#include "op/kernels.inc"
#endif
