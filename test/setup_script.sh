#!/bin/sh
# What set-up says and returns when something is missing: without a compiler, without root, with each package
# manager, without the liburcu headers.
# variants: release
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
failed=0
expect() { # STATUS TEXT: what the last command was to return and to say
	[ $status -eq "$1" ] && grep -qF -- "$2" "$work/said" && return
	echo "exit $status, not $1 with '$2':"
	cat "$work/said"
	failed=1
}

# A machine with a shell and a few tools, no compiler, no make, no sudo, and one package manager.
mkdir -p "$work/tree/scripts" "$work/bin"
cp scripts/setup.sh "$work/tree/scripts"
for tool in sh sed dirname mktemp rm cat grep id nproc env; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
manager() {
	rm -f "$work/bin/apt-get" "$work/bin/dnf" "$work/bin/pacman"
	printf '#!/bin/sh\necho "%s" "$@"\n' "$1" >"$work/bin/$1"
	chmod 755 "$work/bin/$1"
}
bare() {
	(cd "$work/tree" && env -i PATH="$work/bin" TMPDIR=/tmp "$@") >"$work/said" 2>&1 </dev/null
	status=$?
}
user=
[ "$(id -u)" -ne 0 ] || user="$(command -v setpriv) --reuid=65534 --regid=65534 --clear-groups"

bare NO_INSTALL=1 sh scripts/setup.sh
expect 69 'missing: compiler make pkg-config liburcu'
if [ "$(id -u)" -ne 0 ] || [ "$user" != ' --reuid=65534 --regid=65534 --clear-groups' ]; then
	manager apt-get
	bare $user sh scripts/setup.sh
	expect 77 'install --no-install-recommends gcc libc6-dev make pkg-config liburcu-dev'
	manager dnf
	bare $user sh scripts/setup.sh
	expect 77 'dnf -y install gcc make pkgconf-pkg-config userspace-rcu-devel'
	manager pacman
	bare $user sh scripts/setup.sh
	expect 77 'pacman -Sy --needed --noconfirm gcc make pkgconf liburcu'
fi
if [ "$(id -u)" -eq 0 ]; then
	manager apt-get
	bare sh scripts/setup.sh
	expect 69 'apt-get -q update'
	expect 69 'apt-get -q -y install --no-install-recommends gcc libc6-dev make pkg-config liburcu-dev'
	expect 69 'still missing: compiler make pkg-config liburcu'
fi
rm -f "$work/bin/apt-get" "$work/bin/dnf" "$work/bin/pacman"
bare sh scripts/setup.sh
expect 69 'no apt, dnf or pacman found'

NO_INSTALL=1 sh scripts/setup.sh >"$work/said" 2>&1
status=$?
[ $status -eq 0 ] || { echo "NO_INSTALL=1 where all is there: exit $status"; failed=1; }

make O="$work/build" CPPFLAGS=-nostdinc >"$work/said" 2>&1
status=$?
expect 2 'liburcu headers not found: run sh scripts/setup.sh'
[ "$(grep -c . "$work/said")" -eq 2 ] || { echo 'more than one line and that of make:'; cat "$work/said"; failed=1; }
exit $failed
