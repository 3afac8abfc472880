#!/bin/sh
# The archive of `make dist` has what is committed, unpacks into one folder, and builds and installs there.
# all: builds the whole tree
# variants: release
set -eu
git rev-parse --verify HEAD >/dev/null 2>&1 || { echo 'no git repository'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "dist: $*"; exit 1; }

make dist >/dev/null
version=$(git show HEAD:include/lockstep/version.h | sed -n 's/^#define LS_VERSION "\(.*\)"/\1/p')
mv "lockstep-$version.tar.gz" "$work/archive.tar.gz" || fail the version of the archive
tar -xzf "$work/archive.tar.gz" -C "$work"
[ "$(cd "$work" && echo *)" = "archive.tar.gz lockstep-$version" ] || fail more than one folder
git ls-tree -r --name-only HEAD | sort >"$work/committed"
(cd "$work/lockstep-$version" && find . ! -type d | sed 's:^\./::' | sort) | diff "$work/committed" - ||
	fail the archive has other files

cd "$work/lockstep-$version"
make -j"$(nproc)" install CFLAGS=-O0 PREFIX="$work/prefix" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail build; }
[ "$("$work/prefix/bin/lockstep" --version)" = "lockstep $version" ] || fail the version of the tool
"$work/prefix/bin/lockstep" run allreduce -t ring:4 --quiet || fail the tool
