#!/bin/sh
# A C program outside the tree builds against the installed files, with pkg-config alone.  The library exports
# the calls of the headers and nothing else.  Every header stands alone.  Demos run.  Uninstall restores the prefix.
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
[ "$LD_LIBRARY_PATH" = "$prefix/lib" ] || fail no search paths in the output of make install
make -n install PREFIX=/usr | grep -q 'now run: ldconfig' || fail no ldconfig in the output of make install
if grep 'now run' "$work/staged.log"; then fail search paths of a staged tree; fi
version=$(sed -n 's/^#define LS_VERSION "\(.*\)"/\1/p' include/lockstep/version.h)
[ "$(pkg-config --modversion lockstep)" = "$version" ] || fail version of lockstep.pc
library=$prefix/lib/liblockstep.so
case $version in # below 1.0 a minor version may change the interface
0.*) soname=liblockstep.so.${version%.*} ;;
*) soname=liblockstep.so.${version%%.*} ;;
esac
readelf -d "$library" | grep -q "SONAME.*\[$soname\]" || fail soname
[ -e "$prefix/lib/$soname" ] || fail "no $soname"
pkg-config --validate lockstep || fail lockstep.pc
[ "$(pkg-config --variable=prefix lockstep)" = "$prefix" ] || fail prefix of lockstep.pc
[ -f "$(pkg-config --variable=datadir lockstep)/data/iris.csv" ] || fail data of the demos
demos=$(pkg-config --variable=demodir lockstep)
for demo in hello kmeans shortest_paths; do
	(cd / && "$demos/$demo" >"$work/out" 2>&1) || { cat "$work/out"; fail "installed demo $demo"; }
done
for file in man/man1/lockstep.1 man/man3/ls_run.3 man/man7/lockstep-topology.7 zsh/site-functions/_lockstep \
	bash-completion/completions/lockstep fish/vendor_completions.d/lockstep.fish; do
	[ -s "$prefix/share/$file" ] || fail "no $file"
done

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
if [ -e "$prefix" ]; then
	find "$prefix"
	fail left by uninstall
fi
make uninstall DESTDIR="$work/stage" PREFIX=/opt/ls >/dev/null
if [ -e "$work/stage" ]; then fail left by uninstall of the stage; fi
if make uninstall PREFIX="$prefix" >"$work/out" 2>&1; then fail uninstalls what is not installed; fi
grep -q 'nothing is installed' "$work/out" || fail uninstall without install

counted="$(wc -l <"$work/promised") calls and constants, $(wc -l <"$work/direct") files"
[ -z "${LS_FAST:-}" ] || { echo "$counted"; exit; } # the rest takes six more runs of make

# A prefix with files and folders of others, also empty ones; installed twice, the first time with one file more.
list() { (cd "$1" && find . -printf '%p %y %m %l\n' | sort && find . -type f -exec cksum {} + | sort -k 3); }
used="$work/a used prefix"
mkdir -p "$used/bin" "$used/share/man/man3" "$used/share/man/man8" "$used/share/lockstep" "$used/lib/pkgconfig"
echo other >"$used/bin/lockstep-other"
echo other >"$used/lib/pkgconfig/other.pc"
ln -s man3 "$used/share/man/other"
list "$used" >"$work/before"
make install PREFIX="$used" >/dev/null
echo old >"$used/share/lockstep/old"
echo 'f share/lockstep/old' >>"$used/lib/lockstep/manifest"
make install PREFIX="$used" >/dev/null
if [ -e "$used/share/lockstep/old" ]; then fail the second install keeps a file of the first; fi
make uninstall PREFIX="$used" >/dev/null
list "$used" >"$work/after"
diff "$work/before" "$work/after" || fail uninstall changes the prefix

# An installation that fails: a folder stands where a file should.
mkdir "$used/lib/liblockstep.a"
list "$used" >"$work/before"
if (umask 077 && make install PREFIX="$used" >"$work/out" 2>&1); then fail installs over a folder; fi
[ "$(stat -c %a "$used/include/lockstep")" = 755 ] || fail the mode of folders
make uninstall PREFIX="$used" >/dev/null 2>&1 || fail uninstall after a failure
list "$used" >"$work/after"
diff "$work/before" "$work/after" || fail uninstall after a failure changes the prefix
echo "$counted"
