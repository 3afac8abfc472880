/* A table of kernels for each instruction set: [operator][type or pair], NULL where undefined. */
#ifndef LS_OP_KERNELS_H
#define LS_OP_KERNELS_H

#include "op/op.h"

#define LS_DECLARE_KERNELS(NAME, name) \
	extern const ls_kernel ls_kernels_##name[LS_OPS][LS_TYPES_AND_PAIRS];
LS_FOR_ISAS(LS_DECLARE_KERNELS)
#undef LS_DECLARE_KERNELS

#endif
