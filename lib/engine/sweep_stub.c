/* No fast path: every step goes by the reference. */
#include "engine/sweep.h"

size_t ls_sweep_wiring_bytes(const struct ls_sweeping *s) { (void)s; return 0; }
size_t ls_sweep_wired_bytes(const struct ls_sweeping *s) { (void)s; return 0; }
int ls_sweep_wiring_make(struct ls_sweeping *s, char *memory) { (void)s, (void)memory; return LS_OK; }
void ls_sweep_wiring_release(struct ls_sweeping *s) { (void)s; }
int64_t ls_sweep_stage(struct ls_sweep_worker *w, int64_t step) { (void)w; return step; }
