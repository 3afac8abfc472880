#!/bin/sh
# A C program outside the tree builds against what `make install` wrote, with pkg-config alone; nothing but
# ls_* is exported and all that the headers promise is; every header stands alone; uninstall leaves nothing.
# variants: release
set -eu
pkg-config --version >/dev/null 2>&1 || { echo 'no pkg-config'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "install: $*"; exit 1; }
root=$PWD prefix=$work/prefix

make install PREFIX="$prefix" >"$work/log" 2>&1 || { cat "$work/log"; fail make install; }
make install DESTDIR="$work/stage" PREFIX=/opt/ls >"$work/staged.log"
(cd "$prefix" && find . ! -type d | sort) >"$work/direct"
(cd "$work/stage/opt/ls" && find . ! -type d | sort) >"$work/staged"
cmp "$work/direct" "$work/staged" || fail DESTDIR and PREFIX install different files
if grep -r "$work" "$work/stage" >/dev/null; then fail DESTDIR leaks into an installed file; fi

eval "$(sed -n 's/^now run: //p' "$work/log")" # the search paths of the prefix
[ "$LD_LIBRARY_PATH" = "$prefix/lib" ] || fail says not how to use it
make -n install PREFIX=/usr | grep -q 'now run: ldconfig' || fail says not to run ldconfig
if grep 'now run' "$work/staged.log"; then fail speaks of a staged tree; fi
version=$(sed -n 's/^#define LS_VERSION "\(.*\)"/\1/p' include/lockstep/version.h)
[ "$(pkg-config --modversion lockstep)" = "$version" ] || fail version of lockstep.pc
library=$prefix/lib/liblockstep.so
readelf -d "$library" | grep -q "SONAME.*\[liblockstep.so.${version%.*}\]" || fail soname

nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >"$work/exported"
[ -s "$work/exported" ] || fail nothing exported
if grep -v '^ls_' "$work/exported"; then fail exports more than ls_; fi
echo '#include <lockstep.h>' | cc -E -P -x c -I"$prefix/include" - | tr '\n;' ' \n' |
	sed -n 's/__attribute__((visibility("default")))//p' | sed 's/__attribute__((warn_unused_result))//' |
	sed -E 's/^[^(]*\b(ls_[a-z0-9_]+) *\(.*/\1/; t; s/.*\b(ls_[a-z0-9_]+) *$/\1/' | sort -u >"$work/promised"
[ -s "$work/promised" ] || fail no call found in the headers
if comm -23 "$work/promised" "$work/exported" | grep .; then fail declared but not in the library; fi

for header in lockstep.h $(cd "$prefix/include" && ls lockstep/*.h); do
	echo "#include <$header>" | cc -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only \
		-I"$prefix/include" -x c - || fail "$header alone"
done

cat >"$work/sum.c" <<'END'
#include <lockstep.h>
#include <stdlib.h>

static int program(ls_node *me, void *arg)
{
	double mine = (double)(ls_rank(me) + 1), sum;
	const int status = ls_allreduce(me, &mine, &sum, 1, LS_DOUBLE, LS_SUM);

	(void)arg;
	return status ? status : sum != 10;
}

int main(void)
{
	ls_topology *ring;
	ls_machine *machine;

	if (ls_topology_make("ring:4", &ring, NULL) || ls_machine_make(ring, NULL, &machine))
		return EXIT_FAILURE;
	return ls_run(machine, program, NULL) ? EXIT_FAILURE : EXIT_SUCCESS;
}
END
cd "$work"
strict='-std=c11 -pedantic -Wall -Wextra -Werror'
cc $strict sum.c -o shared $(pkg-config --cflags --libs lockstep) || fail a program with the shared library
readelf -d shared | grep -q 'NEEDED.*liblockstep' || fail shared library not used
./shared || fail the program with the shared library
cc $strict sum.c -o static $(pkg-config --static --cflags --libs lockstep | sed 's/-llockstep/-l:liblockstep.a/') ||
	fail a program with the static library
if readelf -d static | grep -q 'NEEDED.*liblockstep'; then fail static library not used; fi
./static || fail the program with the static library
if [ -x "$prefix/bin/lockstep" ]; then
	"$prefix/bin/lockstep" --version | grep -q "$version" || fail lockstep --version
fi

cd "$root"
make uninstall PREFIX="$prefix" >/dev/null
if find "$prefix" ! -type d | grep .; then fail left by uninstall; fi
if [ -e "$prefix/include/lockstep" ]; then fail left by uninstall: include/lockstep; fi
echo "$(wc -l <"$work/promised") calls and constants, $(wc -l <"$work/direct") files"
