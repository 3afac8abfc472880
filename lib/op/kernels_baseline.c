#define ISA baseline
#define ISA_TARGET
#include "op/kernels.inc"
