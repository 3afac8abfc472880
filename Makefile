# Lockstep.  `make help` lists the targets.
#
#   VARIANT=release|checked|chaos|schedule|asan|tsan|coverage   compiler flags; the build goes to build/$(VARIANT)
#   WAIT=portable                             wait on a mutex and condition variable, not on a futex
#   SWITCH=ucontext                           switch fibers by swapcontext, not in assembler
#   CROSS=aarch64-linux-gnu                   cross-compile with gcc; tests run in EMULATOR=qemu-aarch64
#   HWLOC=no                                  build without hwloc; by default pkg-config looks for it
#   MPI=no                                    build no plug-ins; by default one for each mpicc.openmpi, mpicc.mpich
#   WERROR=1                                  turn warnings into errors
#   TESTS='mailbox demo/%'                    the tests that `check` runs, as make patterns
#   V=1                                       print whole commands
#   PREFIX=/usr/local DESTDIR=                install into $(DESTDIR)$(PREFIX)
#   CC CFLAGS CPPFLAGS LDFLAGS LDLIBS         your tools and flags; they follow those of the project

MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

VARIANT ?= release
O := build/$(if $(CROSS),$(CROSS)-)$(VARIANT)$(if $(WAIT),-$(WAIT))$(if $(SWITCH),-$(SWITCH))
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^.define LS_VERSION "\(.*\)"/\1/p' include/lockstep/version.h)
# While the major version is 0 every minor version may change the interface: the soname carries both.
SONAME := liblockstep.so.$(subst $(eval ) ,.,$(wordlist 1,$(if $(filter 0.%,$(VERSION)),2,1),$(subst ., ,$(VERSION))))
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $(2))

# Flags ---------------------------------------------------------------------------------------------

# With gcc ThreadSanitizer reports races in liburcu that are none.
ifeq ($(origin CC),default)
CC := $(if $(CROSS),$(CROSS)-gcc,$(if $(filter tsan,$(VARIANT)),clang,$(if $(filter coverage,$(VARIANT)),gcc,cc)))
endif

# Debian's folders.  EMULATOR runs the tests and, at build time, the tool.
ifdef CROSS
EMULATOR ?= qemu-$(firstword $(subst -, ,$(CROSS)))
pkg-config := PKG_CONFIG_LIBDIR=/usr/lib/$(CROSS)/pkgconfig pkg-config
else
pkg-config := pkg-config
endif

FLAGS_release := -O2
FLAGS_checked := -O1 -g -DLSI_CHECKED
FLAGS_chaos   := -O1 -g -DLSI_CHECKED -DLSI_CHAOS
FLAGS_schedule := -O1 -g -DLSI_CHECKED -DLSI_SCHEDULE -Itest -include test/scheduler/scheduled_calls.h
FLAGS_asan    := -O1 -g1 -DLSI_CHECKED -fno-omit-frame-pointer \
                 -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -g1 -DLSI_CHECKED -DLSI_TSAN -fsanitize=thread
FLAGS_coverage := -O0 -g --coverage -fprofile-update=atomic -include test/support/counted_exit.h
# Tests are not counted, so that they run faster.
UNCOUNTED := $(if $(filter coverage,$(VARIANT)),-O1 -fno-profile-arcs -fno-test-coverage)
ifndef FLAGS_$(VARIANT)
$(error no variant $(VARIANT); expected release, checked, chaos, schedule, asan, tsan or coverage)
endif

URCU_CFLAGS := $(patsubst -I%,-isystem%,$(shell $(pkg-config) --cflags liburcu-qsbr 2>/dev/null))
URCU_PC     := $(shell $(pkg-config) --exists liburcu-qsbr 2>/dev/null && echo liburcu-qsbr)
URCU_LIBS   := $(or $(shell $(pkg-config) --libs liburcu-qsbr 2>/dev/null),-lurcu-qsbr -lurcu-common)

# Optional: the order of the cores.  Not under Requires.private: hwloc.pc asks static programs for libudev,
# whose headers libhwloc-dev does not bring.
HWLOC_PC     := $(if $(filter no,$(HWLOC)),,$(shell $(pkg-config) --exists 'hwloc >= 2.0' 2>/dev/null && echo hwloc))
HWLOC_CFLAGS := $(if $(HWLOC_PC),-DLSI_HWLOC $(patsubst -I%,-isystem%,$(shell $(pkg-config) --cflags hwloc)))
HWLOC_LIBS   := $(if $(HWLOC_PC),$(shell $(pkg-config) --libs hwloc))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(WERROR),-Werror)
COMMON   := -std=gnu11 -D_GNU_SOURCE -Iinclude $(WARNINGS) -ffp-contract=off -pthread \
            $(FLAGS_$(VARIANT)) $(if $(WAIT),-DLSI_WAIT_$(shell echo $(WAIT) | tr a-z A-Z)) \
            $(if $(SWITCH),-DLSI_SWITCH_$(shell echo $(SWITCH) | tr a-z A-Z))
USER      = $(CPPFLAGS) $(CFLAGS)
DEPEND    = -MMD -MP -MF $@.d -MT $@
PUBLIC    = $(CC) $(COMMON) $(DEPEND) $(EXTRA) $(USER)
INTERNAL  = $(CC) $(COMMON) -Ilib $(URCU_CFLAGS) $(HWLOC_CFLAGS) $(DEPEND) $(EXTRA) $(USER)
LIBS      = $(LDLIBS) $(URCU_LIBS) $(HWLOC_LIBS) -lm -ldl -pthread
# Variants without the shared library and the manual.
for_tests := $(filter asan tsan schedule,$(VARIANT))

# A source states its own flags in a comment line:  /* link: -Wl,--wrap=malloc */
stated = $$(sed -n 's:^/\* $(1)\: \(.*\) \*/$$:\1:p' $(2))
# Whether compiler $(2) finds header $(1) for language $(3).
hash := \#
has  = $(shell printf '$(hash)if !__has_include(<$(1)>)\n$(hash)error\n$(hash)endif\n' \
         | $(2) -E -x $(3) - >/dev/null 2>&1 && echo yes)

# Targets -------------------------------------------------------------------------------------------

HEADERS     := $(wildcard include/lockstep.h include/lockstep/*.h)
PLUGIN_SRC  := lib/world/mpi_plugin.c
LIB_SRC     := $(filter-out $(PLUGIN_SRC),$(sort $(wildcard lib/*/*.c lib/*/*/*.c lib/*/*/*/*.c)))
TOOL_SRC    := $(sort $(wildcard demo/lockstep/*/*.c))
DEMO_SRC    := $(wildcard demo/*.c)
SUPPORT_SRC := $(wildcard test/lib_*.c test/support/*.c)
TEST_SRC    := $(filter-out test/lib_% test/thread_schedules.c,$(wildcard test/*.c))
BENCH_SRC   := $(wildcard test/bench/*.c)
SOAK_SRC    := $(wildcard test/soak/*.c)
RELACY_SRC  := $(if $(CROSS),,$(if $(filter release,$(VARIANT)),$(wildcard test/relacy/*.cpp)))
SCRIPT_TEST := $(wildcard test/*.sh)
ifeq ($(VARIANT),schedule) # what runs nodes, the scheduler, and tests that wait by no means but those it knows
LIB_SRC     := $(filter-out lib/draw/% lib/find/%,$(LIB_SRC)) $(wildcard test/scheduler/*.c)
TEST_SRC    := $(patsubst %,test/%.c,thread_schedules attached_threads call_errors deadlock error_order linked_machines \
                 machine_ends machine_handles node_failures shrink_group stopped_runs time_limit world_attach world_uses)
TOOL_SRC    :=
DEMO_SRC    :=
BENCH_SRC   :=
SOAK_SRC    :=
SCRIPT_TEST :=
endif

# OpenMP runtimes are not instrumented for ThreadSanitizer, and Debian has none for a cross-compiler.
OPENMP_SRC := $(wildcard demo/openmp*.c)
LACKING    := $(if $(and $(OPENMP_SRC),$(or $(filter tsan,$(VARIANT)),$(CROSS),\
                $(if $(call has,omp.h,$(CC) -fopenmp,c),,lacking))),$(OPENMP_SRC:.c=)) \
              $(if $(RELACY_SRC),$(if $(call has,relacy/relacy.hpp,$(CXX),c++),,$(RELACY_SRC:.cpp=)))
# Tests that state other variants are not built in this one.
IN_VARIANT := $(VARIANT:coverage=checked)
ELSEWHERE  := $(basename $(shell grep -HE '^/\* variants: ' $(TEST_SRC) /dev/null | \
                grep -vE ' ($(IN_VARIANT)|$(VARIANT))( |$$)' | cut -d: -f1))
UNBUILT    := $(LACKING) $(ELSEWHERE)

LIB_OBJ     := $(LIB_SRC:%.c=$(O)/%.o)
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(O)/%.o)
TOOL_OBJ    := $(TOOL_SRC:%.c=$(O)/%.o)
LIB     := $(O)/liblockstep.a
SHARED  := $(if $(for_tests),,$(O)/liblockstep.so)
SUPPORT := $(O)/libsupport.a
TOOL    := $(if $(TOOL_SRC),$(O)/lockstep)
RUNNABLE := $(if $(EMULATOR),$(O)/emulated/lockstep,$(O)/lockstep)
DEMO    := $(addprefix $(O)/,$(filter-out $(LACKING),$(DEMO_SRC:.c=)))
TEST    := $(addprefix $(O)/,$(filter-out $(ELSEWHERE),$(TEST_SRC:.c=)))
BENCH   := $(BENCH_SRC:%.c=$(O)/%)
SOAK    := $(SOAK_SRC:%.c=$(O)/%)
RELACY  := $(addprefix $(O)/,$(filter-out $(LACKING),$(RELACY_SRC:.cpp=)))
# Generated by the tool.
MANUAL     := $(if $(for_tests),,$(O)/man/complete)
COMPLETION := $(if $(for_tests),,$(addprefix $(O)/completion/,bash zsh fish))
# One for each MPI, named after its compiler; "mpi": of a plain mpicc.
MPIS    := $(if $(or $(for_tests),$(CROSS),$(filter no,$(MPI))),,$(or $(foreach mpi,openmpi mpich,\
             $(if $(shell command -v mpicc.$(mpi)),$(mpi))),$(if $(shell command -v mpicc),mpi)))
PLUGIN  := $(MPIS:%=$(O)/lockstep-%.so)
OUTCOME := $(LIB) $(SHARED) $(PLUGIN) $(TOOL) $(if $(filter build/release,$(O)),$(TOOL:$(O)/%=%)) $(DEMO) \
           $(MANUAL) $(COMPLETION)

.PHONY: all everything
all: $(OUTCOME) ## build the libraries, the tool ./lockstep, the demos and the manual (default)
	@:
everything: $(OUTCOME) $(TEST) $(BENCH) $(SOAK) $(RELACY) ## build all, the tests and the benchmarks
	@:

.PHONY: probe FORCE
probe:
	@command -v $(firstword $(CC)) >/dev/null || \
		{ echo 'C compiler not found: run sh scripts/setup.sh' >&2; exit 1; }
	@printf '#include <urcu-qsbr.h>\n#include <urcu/wfcqueue.h>\n' | \
		$(CC) $(URCU_CFLAGS) $(USER) -fsyntax-only -x c - 2>/dev/null || \
		{ echo 'liburcu headers not found: run sh scripts/setup.sh' >&2; exit 1; }

# Holds the flags; a change of flags compiles everything again.
STATED = $(strip $(CC) $(COMMON) $(URCU_CFLAGS) $(HWLOC_CFLAGS) $(USER) $(LDFLAGS) $(LIBS))
ifneq ($(STATED),$(strip $(file <$(O)/flags)))
$(O)/flags: FORCE
endif
$(O)/flags:
	$(shell mkdir -p $(@D))$(file >$@,$(STATED))

# Files that the library prints, as lines of C text, without indentation and lines of comment.
LINES := $(patsubst %,$(O)/%.lines,$(wildcard $(addprefix lib/draw/*.,html css js)))
$(LINES): $(O)/%.lines: % Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sed '/^[[:space:]]*\/\/ /d; s/^[[:space:]]*//; /^$$/d; s/[\\"]/\\&/g; s/.*/"&\\n",/' $< >$@
$(O)/lib/draw/html.o: $(LINES)

$(O)/lib/op/%.o: SPEED := $(if $(filter release,$(VARIANT)),-O3)
$(LIB_OBJ): EXTRA = -fPIC -fvisibility=hidden -I$(O) $(SPEED)
$(O)/lib/world/launcher.o: SPEED = -DLSI_TREE='"$(CURDIR)"' -DLSI_BUILD='"$(abspath $(O))"' \
	-DLSI_PLUGINS='"$(PREFIX)/lib/lockstep"'
$(SUPPORT_OBJ): EXTRA := -Itest $(UNCOUNTED)
$(LIB_OBJ) $(SUPPORT_OBJ): $(O)/%.o: %.c $(O)/flags | probe
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(INTERNAL) -c -o $@ $<

$(TOOL_OBJ): EXTRA := -Idemo/lockstep $(if $(HWLOC_PC),-DLSI_HWLOC)
$(TOOL_OBJ): $(O)/%.o: %.c $(O)/flags | probe
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(PUBLIC) -c -o $@ $<

$(LIB): $(LIB_OBJ)
$(SUPPORT): $(SUPPORT_OBJ)
$(LIB) $(SUPPORT) $(O)/libtool.a: | $(O)/flags
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/$(SONAME): $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) $(COMMON) $(USER) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs,-z,relro,-z,now \
		-Wl,--as-needed $(LDFLAGS) -o $@ $^ $(LIBS)

$(O)/liblockstep.so: $(O)/$(SONAME)
	@ln -sf $(SONAME) $@

$(PLUGIN): $(O)/lockstep-%.so: $(PLUGIN_SRC) $(O)/flags | probe
	$(call say,LINK,$@)
	$(Q)mpicc$(patsubst .mpi,,.$*) -std=gnu11 -Iinclude -Ilib $(WARNINGS) -O2 -fPIC -fvisibility=hidden $(DEPEND) \
		-shared -o $@ $<

$(O)/lockstep: $(TOOL_OBJ) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(COMMON) $(USER) $(LDFLAGS) -o $@ $^ $(LIBS)

# A tool without records: scripts/gaps compares with it, and scripts/find-records searches with it.
$(O)/empty/record_table.o: lib/schedule/record_table.c $(O)/flags | probe
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(INTERNAL) -fPIC -fvisibility=hidden -DLSI_NO_RECORDS -c -o $@ $<
$(O)/lockstep-bare: $(TOOL_OBJ) $(O)/empty/record_table.o $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(COMMON) $(USER) $(LDFLAGS) -o $@ $^ $(LIBS)

lockstep: build/release/lockstep
	@ln -f $< $@

$(O)/emulated/lockstep: $(O)/lockstep
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec $(EMULATOR) %s "$$@"\n' '$(abspath $<)' >$@ && chmod 755 $@

$(O)/man/complete: scripts/manual scripts/manual.awk scripts/details.awk $(wildcard docs/man/*.in) \
		$(HEADERS) $(RUNNABLE)
	$(call say,GEN,$(@D))
	$(Q)sh scripts/manual $(RUNNABLE) $(@D)
	@touch $@

$(COMPLETION): $(O)/completion/%: $(RUNNABLE)
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)$< help --completion $* >$@

$(O)/demo/openmp%: EXTRA := -fopenmp
$(DEMO): $(O)/%: %.c $(LIB) $(O)/flags | probe
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(PUBLIC) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS)

# Tests that call the tool as a function: these state `tool:`.
TOOLED := $(patsubst %.c,$(O)/%,$(shell grep -l '^/\* tool: ' /dev/null $(TEST_SRC)))
$(TOOLED:%=%.o): EXTRA := -Idemo/lockstep
$(TOOLED): $(O)/libtool.a
$(O)/libtool.a: $(TOOL_OBJ)

# The objects stay, so that a change of the library only links the programs again.
PROGRAM := $(TEST) $(BENCH) $(SOAK)
$(PROGRAM:%=%.o): $(O)/%.o: %.c $(O)/flags | probe
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(INTERNAL) -Itest $(UNCOUNTED) $(call stated,compile,$<) -c -o $@ $<
$(PROGRAM): $(O)/%: $(O)/%.o $(LIB) $(SUPPORT)
	$(call say,LINK,$@)
	$(Q)$(CC) $(COMMON) $(USER) $(call stated,compile,$*.c) $(LDFLAGS) -o $@ $< \
		$(filter %/libtool.a,$^) $(SUPPORT) $(LIB) $(LIBS) $(call stated,link,$*.c)

# The protocol sources with bugs planted in them, for the model checks.
$(O)/planted/%.inc: scripts/plant test/relacy/plants.txt $(wildcard test/relacy/*.inc) $(wildcard lib/machine/*.[ch] lib/carrier/*.c) \
		$(addprefix lib/engine/,cooperative/cooperative.c sweep/sweep_barrier.c sweep/fast/sweep_tree.c) \
		$(addprefix lib/engine/mailboxes/,compiled_plan.h execute_step.h fast_path.c)
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sh scripts/plant $* >$@

$(RELACY): $(O)/test/relacy/%: test/relacy/%.cpp $(O)/planted/%.inc $(O)/flags | probe
	@mkdir -p $(@D)
	$(call say,CXX,$@)
	$(Q)$(CXX) -std=gnu++14 -O1 -I$(O) $(DEPEND) $(CPPFLAGS) $(CXXFLAGS) \
		$(call stated,compile,$<) $(LDFLAGS) -o $@ $< -pthread

# The test of the schedules with one planted bug each; the object comes before that of the library.
PLANTS  := $(if $(filter schedule,$(VARIANT)),$(shell sed 's/ .*//' test/scheduler/schedule_plants.txt))
PLANTED := $(PLANTS:%=$(O)/planted/%)
$(PLANTS:%=$(O)/planted/%.c): $(O)/planted/%.c: test/scheduler/schedule_plants.txt scripts/plant-schedule $(LIB_SRC)
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sh scripts/plant-schedule $* >$@
$(PLANTED:%=%.o): %.o: %.c $(O)/flags
	$(call say,CC,$<)
	$(Q)$(INTERNAL) -c -o $@ $<
$(PLANTED): %: %.o $(O)/test/thread_schedules.o $(LIB) $(SUPPORT)
	$(call say,LINK,$@)
	$(Q)$(CC) $(COMMON) $(USER) $(LDFLAGS) -o $@ $(O)/test/thread_schedules.o $< $(SUPPORT) $(LIB) $(LIBS)

-include $(patsubst %,%.d,$(LIB_OBJ) $(SUPPORT_OBJ) $(TOOL_OBJ) $(O)/empty/record_table.o \
           $(DEMO) $(PROGRAM:%=%.o) $(RELACY) $(PLANTED:%=%.o) $(PLUGIN))

# Tests ---------------------------------------------------------------------------------------------
#
# A test is a program, or a shell script test/NAME.sh, that exits 0.  Exit 77 skips it; the last line of
# its output is the reason.  It runs in the root of the tree.  LOCKSTEP is the tool, LS_BUILD the build
# folder, LS_VARIANT the variant (checked for coverage, whose name is LS_COUNTED).  LS_FAST (set by `check`) selects few
# networks and sizes, LS_THIN more, LS_LONG many.
# A source may hold these comment lines, each on a line of its own (`#` for `/*` in a script):
#
#   /* all: why */                only `check-all` runs it, or `check TESTS=NAME`
#   /* alone: why */              no other test runs at the same time, as for demos (programs only)
#   /* variants: release asan */  other variants skip it
#   /* nodes: threads fibers */    runs once with each kind of nodes; LS_NODES holds the kind; see scripts/run-test
#   /* processes: 1 2 3 */         runs once with each number of processes, LS_PROCESSES; with LS_FAST with the first
#   /* tool: in this process */   the functions of the tool are linked
#   /* compile: FLAGS */          compiler flags
#   /* link: FLAGS */             linker flags
#
# A time limit ends a test that hangs.  LIMIT, in seconds, is far above the time of every test.

TESTS  ?= %
EVERY  := $(RELACY_SRC:.cpp=) $(TEST_SRC:.c=) $(SCRIPT_TEST) $(DEMO_SRC:.c=) # the longest first
marked  = $(basename $(shell grep -lE '^(/\*|$(hash)) $(1): ' /dev/null $(2)))
SLOW    = $(if $(LS_FAST),$(if $(findstring x$(TESTS)x,x%x),$(patsubst %,%.sh,$(call marked,all,$(SCRIPT_TEST))) \
            $(call marked,all,$(TEST_SRC) $(RELACY_SRC))))
CHECKS  = $(filter-out $(SLOW),$(filter $(TESTS) $(addprefix test/,$(TESTS)),$(EVERY)))
ALONE   = $(filter $(CHECKS),$(DEMO_SRC:.c=) $(call marked,alone,$(TEST_SRC)))
JOBS    = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
FUZZED  = build/fuzz$(if $(filter no,$(SANITIZE)),-plain)
FUZZ    = $(patsubst %.c,$(FUZZED)/%,$(wildcard test/fuzz_*.c))
result  = $(addprefix $(O)/result/,$(1))

LIMIT ?= 1800
SETTING = LOCKSTEP=$(CURDIR)/$(RUNNABLE) LS_BUILD=$(CURDIR)/$(O) LS_VARIANT=$(IN_VARIANT) \
          $(if $(filter coverage,$(VARIANT)),LS_COUNTED=coverage) \
          $(if $(EMULATOR),LS_EMULATOR="$(EMULATOR)") MAKEFLAGS= MAKELEVEL=0 TSAN_OPTIONS="halt_on_error=1 $$TSAN_OPTIONS"
RUN     = LS_LIMIT=$(LIMIT) $(SETTING) sh scripts/run-test $(O)/result

.PHONY: check check-all check-long run-tests
check: ## build, and run the tests on few networks and sizes, under a minute
	@LS_FAST=1 $(MAKE) run-tests
check-all: ## the tests in full, about 5 minutes
	@$(MAKE) run-tests
check-long: ## all tests on many networks and sizes, under 45 minutes
	@LS_LONG=1 $(MAKE) run-tests LIMIT=7200

run-tests:
	@rm -rf $(O)/result
	@$(MAKE) -k $(JOBS) $(if $(findstring x$(TESTS)x,x%x),all) $(call result,$(filter-out $(ALONE),$(CHECKS))) \
		$(addprefix $(O)/,$(filter-out $(UNBUILT),$(ALONE))) || :
	@$(if $(ALONE),$(MAKE) -k ONE_BY_ONE=1 $(call result,$(ALONE)) || :)
	@sh scripts/sum-tests $(O)/result $(CHECKS)
ifdef ONE_BY_ONE
.NOTPARALLEL:
endif

.PHONY: $(call result,$(EVERY))
$(call result,test/cli_find.sh): $(O)/lockstep-bare
$(call result,$(filter-out $(UNBUILT) %.sh,$(EVERY))): $(O)/result/%: $(O)/%
	@$(RUN) $* $(firstword $(wildcard $*.c $*.cpp)) $(EMULATOR) $<
$(call result,$(SCRIPT_TEST)): $(O)/result/%: $(OUTCOME) $(RUNNABLE)
	@$(RUN) $* $* sh $*
$(call result,$(ELSEWHERE)): $(O)/result/%:
	@$(RUN) $* $*.c false
$(call result,test/thread_schedules): $(PLANTED)
$(call result,test/mpi.sh): $(O)/test/mpi_driver
$(call result,test/fibers_debuggers.sh): $(O)/test/fiber_debugged
$(call result,test/mpi_programs.sh): $(O)/test/program_driver
$(call result,test/mpi_sweeps.sh): $(O)/test/world_bits $(O)/test/world_laws
$(call result,$(LACKING)): $(O)/result/%:
	@$(RUN) $* /dev/null sh -c 'echo cannot be built with what is installed here; exit 77'

.PHONY: coverage stress soak asan tsan litmus fuzz bench demo gallery golden style format
stress: ## run all tests ROUNDS=10 times; threads yield at atomic accesses
	@for i in $$(seq $(or $(ROUNDS),10)); do LS_SEED=$$i $(MAKE) check-all VARIANT=chaos || exit; done
soak: $(SOAK) ## run COLLECTIVES=100000000 on MACHINES=100000, or for SECONDS=; no resource may grow
	@$(SETTING) $(foreach goal,SECONDS COLLECTIVES MACHINES,$(if $($(goal)),$(goal)=$($(goal)))) $(SOAK)
asan: ## run all tests under AddressSanitizer and UBSan
tsan: ## run all tests under ThreadSanitizer
asan tsan:
	@$(MAKE) check-all VARIANT=$@
litmus: ## model-check the protocols of machine, fibers, sweep and processes (needs relacy and spin)
	@$(MAKE) check-all VARIANT=release TESTS='test/relacy/% test/spin.sh'
coverage: ## print the lines and branches of lib/ that TESTS execute (needs gcc and python3)
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || :
	@$(MAKE) check VARIANT=coverage LIMIT=7200; status=$$?; python3 scripts/coverage build/coverage && exit $$status
fuzz: ## run libFuzzer on test/fuzz_*.c for SECONDS=10 each, from SEED= on; SANITIZE=no: faster (needs clang)
	@$(MAKE) $(JOBS) VARIANT=$(if $(filter no,$(SANITIZE)),checked,asan) O=$(FUZZED) CC=clang CPPFLAGS=-DLSI_FUZZ \
		CFLAGS='-O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls,stack-depth' \
		LDFLAGS=-fsanitize=fuzzer $(FUZZ)
	@$(MAKE) -k $(JOBS) $(FUZZ:=.run); status=$$?; sh scripts/sum-fuzz $(FUZZ:=.log); exit $$status
# Some change their working directory.  The kept inputs of the tree are tried first; both builds add to NAME.inputs.
# Options for speed: only blocks of code are traced, features not weighed, and little freed memory is kept.
.PHONY: $(FUZZ:=.run)
$(FUZZ:=.run): $(FUZZED)/test/fuzz_%.run:
	@mkdir -p build/fuzz/test/fuzz_$*.inputs; \
		ASAN_OPTIONS="quarantine_size_mb=8:$$ASAN_OPTIONS" $(abspath $(basename $@)) \
			-max_total_time=$(or $(SECONDS),10) $(SEED:%=-seed=%) -timeout=100 -rss_limit_mb=4096 -max_len=16384 \
			-entropic=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix=$(abspath $(basename $@)). \
			$(abspath build/fuzz/test/fuzz_$*.inputs $(wildcard test/corpus/$*)) \
			>$(basename $@).log 2>&1 || { tail -n 60 $(basename $@).log; exit 1; }
bench: $(BENCH) $(OUTCOME) ## run the benchmarks
	@set -e; for b in $(BENCH) $(wildcard scripts/bench-*); do echo "== $$b"; $(SETTING) $$b; done
demo: $(DEMO) ## run every demo
	@set -e; for d in $(DEMO); do echo "== $$d"; $$d; done
gallery: $(RUNNABLE) ## draw the figures of the sources and other pictures: build/gallery/index.html
	@sh scripts/gallery $(RUNNABLE) build/gallery
	@echo 'open build/gallery/index.html'
golden: $(RUNNABLE) ## write the kept pictures again: test/golden/gallery and docs/images
	@sh scripts/gallery $(RUNNABLE) --renew
style: ## check layers, names, sizes, wording and format
	@sh scripts/check-style
format: ## format all C sources with clang-format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

# Installation --------------------------------------------------------------------------------------

D = $(DESTDIR)$(PREFIX)

define PC
prefix=$(PREFIX)
exec_prefix=$${prefix}
libdir=$${exec_prefix}/lib
includedir=$${prefix}/include
datadir=$${prefix}/share/lockstep
demodir=$${libdir}/lockstep/demo

Name: lockstep
Description: Collective communication in lockstep rounds on interconnection networks of threads
Version: $(VERSION)
Requires.private: $(URCU_PC)
Libs: -L$${libdir} -llockstep
Libs.private: $(if $(URCU_PC),,$(URCU_LIBS)) $(HWLOC_LIBS) -lm -ldl -pthread
Cflags: -I$${includedir}
endef
install: export PC := $(PC)

# Lines `MODE SOURCE TARGET` or `link CONTENT TARGET` for scripts/install.
define LIST
for file in $(HEADERS); do echo "644 $$file $$file"; done
echo 644 $(LIB) lib/liblockstep.a
echo 644 $$pc lib/pkgconfig/lockstep.pc
$(if $(SHARED),echo 755 $(O)/$(SONAME) lib/liblockstep.so.$(VERSION)
echo link liblockstep.so.$(VERSION) lib/$(SONAME)
echo link $(SONAME) lib/liblockstep.so)
echo 755 $(TOOL) bin/lockstep
for file in $(notdir $(PLUGIN)); do echo "755 $(O)/$$file lib/lockstep/$$file"; done
for file in $(notdir $(DEMO)); do echo "755 $(O)/demo/$$file lib/lockstep/demo/$$file"; done
for file in $(wildcard demo/data/*); do echo "644 $$file share/lockstep/data/$${file##*/}"; done
$(if $(MANUAL),cd $(O)/man
find man? -type f | sed 's:.*:644 $(O)/man/& share/man/&:'
find man? -type l | while read -r file; do echo "link $$(readlink "$$file") share/man/$$file"; done)
$(if $(COMPLETION),echo 644 $(O)/completion/bash share/bash-completion/completions/lockstep
echo 644 $(O)/completion/zsh share/zsh/site-functions/_lockstep
echo 644 $(O)/completion/fish share/fish/vendor_completions.d/lockstep.fish)
endef
install: export LIST := $(LIST)

.PHONY: install uninstall dist clean help
install: $(LIB) $(SHARED) $(PLUGIN) $(TOOL) $(DEMO) $(MANUAL) $(COMPLETION) ## install into $(DESTDIR)$(PREFIX)
	$(call say,INST,$(D))
	$(Q)pc=$$(mktemp) && export pc && trap 'rm -f "$$pc"' EXIT && printf '%s\n' "$$PC" >"$$pc" && \
		sh -c "$$LIST" | sh scripts/install add "$(D)"
	$(if $(DESTDIR),,@echo 'now run: $(if $(filter /usr /usr/local,$(PREFIX)),ldconfig,export \
		PKG_CONFIG_PATH="$(PREFIX)/lib/pkgconfig" LD_LIBRARY_PATH="$(PREFIX)/lib")')

uninstall: ## remove what install added, with the same DESTDIR and PREFIX
	$(Q)sh scripts/install remove "$(D)"

dist: ## pack the last commit into lockstep-VERSION.tar.gz
	git archive --prefix=lockstep-$(VERSION)/ -o lockstep-$(VERSION).tar.gz HEAD

clean: ## remove build/ and the packed archives
	rm -rf build lockstep lockstep-*.tar.gz

help: ## print this list
	@echo 'Targets:'
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
		awk -F'|' '{ n = split($$1, name, " "); for (i = 1; i <= n; i++) printf "  make %-12s %s\n", name[i], $$2 }'
	@echo 'Variables:'
	@sed -n 's/^#   \([A-Z].*\)/  \1/p' $(MAKEFILE_LIST)
