#!/bin/sh
# Sets Lockstep up, also on a bare machine: installs what is missing, builds, runs the main job.
#
#   sh scripts/setup.sh             compiler, make, pkg-config, liburcu
#   sh scripts/setup.sh --ci        only installs: in addition the tools of sanitizer builds, debuggers, model checks and
#                                   style checks; where they are available, cadical, hwloc, Open MPI, MPICH, and on
#                                   Debian a compiler and an emulator of arm64
#   sh scripts/setup.sh --compare   only installs: in addition the libraries that scripts/compare measures
#   NO_INSTALL=1                    only report what is missing
#
# It finds out what is missing by compiling a probe; it does not query the package manager.
# Exit: 0 ready; 69 something is missing; 77 not allowed to install it; else the exit of what failed.
cd "$(dirname "$0")/.." || exit

CC=${CC:-cc} CXX=${CXX:-g++}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

compiles() { # COMPILER ENDING FLAGS...: the program on stdin, linked
	compiler=$1 ending=$2
	shift 2
	cat >"$work/probe.$ending"
	$compiler -o "$work/probe" "$work/probe.$ending" "$@" >/dev/null 2>&1
}

has() {
	case $1 in
	compiler)
		echo '#include <pthread.h>
		int main(void) { return pthread_self() == 0; }' | compiles "$CC" c -pthread ;;
	make) make --version 2>/dev/null | grep -q GNU ;;
	pkg-config) pkg-config --version >/dev/null 2>&1 ;;
	liburcu)
		echo '#include <urcu-qsbr.h>
		#include <urcu/wfcqueue.h>
		int main(void) { rcu_register_thread(); rcu_unregister_thread(); return 0; }' |
			compiles "$CC" c $CPPFLAGS $CFLAGS \
				$(pkg-config --cflags --libs liburcu-qsbr 2>/dev/null || echo -lurcu-qsbr -lurcu-common) ;;
	clang)
		for sanitizer in thread address,undefined; do
			echo 'int main(void) { return 0; }' | compiles clang c -fsanitize=$sanitizer || return
		done ;;
	c++)
		echo '#include <vector>
		int main() { return int(std::vector<int>().size()); }' | compiles "$CXX" cc ;;
	relacy)
		echo '#include <relacy/relacy.hpp>
		int main() { return 0; }' | compiles "$CXX" cc -std=gnu++14 -pthread ;;
	clang-format) clang-format --version 2>/dev/null | grep -q 'version 14\.' ;;
	ctags) ctags --version 2>/dev/null | grep -q Universal ;;
	hwloc)
		echo '#include <hwloc.h>
		int main(void) { return hwloc_get_api_version() == 0; }' |
			compiles "$CC" c $(pkg-config --cflags --libs hwloc 2>/dev/null || echo -lhwloc) ;;
	openmpi | mpich)
		echo '#include <mpi.h>
		int main(void) { return MPI_Init(0, 0); }' | compiles mpicc.$1 c && command -v mpirun.$1 >/dev/null ;;
	arm64)
		echo '#include <urcu-qsbr.h>
		int main(void) { rcu_register_thread(); rcu_unregister_thread(); return 0; }' |
			compiles aarch64-linux-gnu-gcc c -lurcu-qsbr -lurcu-common && qemu-aarch64 "$work/probe" ;;
	spin) spin -V >/dev/null 2>&1 ;;
	valgrind)
		echo '#include <valgrind/valgrind.h>
		int main(void) { return RUNNING_ON_VALGRIND; }' | compiles "$CC" c && command -v valgrind >/dev/null ;;
	gdb) gdb --version >/dev/null 2>&1 ;;
	cadical) cadical --version >/dev/null 2>&1 ;;
	simgrid)
		echo '#include <mpi.h>
		int main(int argc, char **argv) { return MPI_Init(&argc, &argv); }' | compiles smpicc c &&
			command -v smpirun >/dev/null ;;
	libomp)
		echo '#include <omp.h>
		int main(void) { return omp_get_max_threads() == 0; }' | compiles clang c -fopenmp ;;
	esac
}

missing() {
	for part; do has "$part" || printf ' %s' "$part"; done
}

package() { # MANAGER PART
	case $1:$2 in
	apt:compiler) echo gcc libc6-dev ;;
	apt:liburcu) echo liburcu-dev ;;
	apt:clang) echo clang libclang-rt-14-dev ;;
	apt:c++) echo g++ ;;
	apt:relacy) echo relacy-dev ;;
	apt:clang-format) echo clang-format-14 clang-format ;;
	apt:ctags) echo universal-ctags ;;
	apt:hwloc) echo libhwloc-dev ;;
	apt:openmpi) echo openmpi-bin libopenmpi-dev ;;
	apt:mpich) echo mpich libmpich-dev ;;
	apt:arm64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross liburcu-dev:arm64 qemu-user ;;
	apt:simgrid) echo libsimgrid-dev ;;
	apt:libomp) echo clang libomp-dev ;;
	dnf:compiler | pacman:compiler) echo gcc ;;
	dnf:pkg-config) echo pkgconf-pkg-config ;;
	dnf:liburcu) echo userspace-rcu-devel ;;
	dnf:clang | pacman:clang) echo clang compiler-rt ;;
	dnf:c++) echo gcc-c++ ;;
	dnf:hwloc) echo hwloc-devel ;;
	pacman:pkg-config) echo pkgconf ;;
	pacman:c++) echo gcc ;;
	dnf:relacy | pacman:relacy | dnf:spin | pacman:spin | dnf:cadical | pacman:cadical | dnf:arm64 | pacman:arm64) ;;
	dnf:openmpi | pacman:openmpi | dnf:mpich | pacman:mpich) ;; # no mpicc.openmpi, mpicc.mpich there
	dnf:libomp) echo clang libomp-devel ;;
	pacman:libomp) echo clang openmp ;;
	*) echo "$2" ;;
	esac
}

install_line() { # PART...
	for manager in apt dnf pacman none; do
		case $manager in
		apt) command -v apt-get >/dev/null && break ;;
		none) ;;
		*) command -v $manager >/dev/null && break ;;
		esac
	done
	names=
	for part; do names="$names $(package $manager "$part")"; done
	names=$(echo $names)
	case $manager$names in
	apt*:arm64*) printf 'dpkg --add-architecture arm64; ' ;;
	esac
	case $manager in
	apt) echo "apt-get -q update; DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $names" ;;
	dnf) echo "dnf -y install $names" ;;
	pacman) echo "pacman -Sy --needed --noconfirm $names" ;;
	esac
}

install() { # PART...
	line=$(install_line "$@")
	if [ -z "$line" ]; then
		echo "lockstep: no apt, dnf or pacman found; install these by hand and run this again: $*" >&2
		exit 69
	elif [ "$(id -u)" -eq 0 ]; then
		sh -c "$line"
	elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
		echo "lockstep: as root: $line"
		sudo sh -c "$line"
	else
		echo "lockstep: missing: $*; run this as root, then run sh scripts/setup.sh again:" >&2
		echo "$line" >&2
		exit 77
	fi
}

provide() { # PART...
	lacking=$(missing "$@")
	[ -n "$lacking" ] || return 0
	if [ -n "$NO_INSTALL" ]; then
		echo "lockstep: missing:$lacking; try sh scripts/setup.sh without NO_INSTALL" >&2
		exit 69
	fi
	install $lacking
	lacking=$(missing "$@")
	if [ -n "$lacking" ]; then
		echo "lockstep: still missing:$lacking; see the output of the package manager above" >&2
		exit 69
	fi
}

provide compiler make pkg-config liburcu
if [ "$1" = --ci ]; then
	provide clang c++ relacy
	for part in valgrind gdb spin cadical hwloc clang-format ctags openmpi mpich arm64; do
		(provide $part) || echo "lockstep: continuing without $part, which is optional" >&2
	done
	exit 0
elif [ "$1" = --compare ]; then
	provide openmpi mpich libomp
	(provide simgrid) || echo "lockstep: continuing without SimGrid, which is optional" >&2
	exit 0
fi
[ -z "$NO_INSTALL" ] || exit 0
make -j"$(nproc)" && sh scripts/main-job
