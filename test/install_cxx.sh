#!/bin/sh
# A C++ program outside the tree builds against what `make install` wrote, with pkg-config alone, and every
# header compiles alone as C++11.
# all: for users of C++ alone
# variants: release
set -eu
command -v c++ >/dev/null || { echo 'no C++ compiler'; exit 77; }
pkg-config --version >/dev/null 2>&1 || { echo 'no pkg-config'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make install PREFIX="$work" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
export PKG_CONFIG_PATH="$work/lib/pkgconfig" LD_LIBRARY_PATH="$work/lib"
strict='-std=c++11 -pedantic -Wall -Wextra -Werror'

for header in lockstep.h $(cd "$work/include" && ls lockstep/*.h); do
	echo "#include <$header>" | c++ $strict -fsyntax-only -I"$work/include" -x c++ - ||
		{ echo "$header alone"; exit 1; }
done

cat >"$work/max.cc" <<'END'
#include <lockstep.h>
#include <vector>

int main()
{
	ls_topology *cube;
	ls_machine *machine;
	std::vector<int64_t> highest(8);

	if (ls_topology_make("hypercube:3", &cube, nullptr) || ls_machine_make(cube, nullptr, &machine))
		return 1;
	const int status = ls_run(machine, [](ls_node *me, void *arg) {
		auto &results = *static_cast<std::vector<int64_t> *>(arg);
		const int64_t mine = ls_rank(me);
		return ls_allreduce(me, &mine, &results[size_t(mine)], 1, LS_INT64, LS_MAX);
	}, &highest);
	ls_machine_destroy(machine);
	ls_topology_destroy(cube);
	return status || highest != std::vector<int64_t>(8, 7);
}
END
cd "$work"
c++ $strict max.cc -o max $(pkg-config --cflags --libs lockstep)
./max
