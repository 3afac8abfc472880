/*
 * The built-in kernels, compiled for the baseline of the architecture.
 */
#define ISA baseline
#define ISA_TARGET
#include "op/kernels.inc"
