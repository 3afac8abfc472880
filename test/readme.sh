#!/bin/sh
# Every command and every program of README.md, in its order, in a copy of the tree.
#
#   ```sh              runs as a whole
#   ```console         `$ command`, and what it prints: compared, a line `...` stands for any lines
#   ```c FILE          is the file of the tree, or is written; ```cpp the same
#   ```text            nothing to run
#
# Times and rates are masked.  Set-up only looks, `make check` runs one test, `make bench` is not run but
# planned.  Every path that the text names exists; every algorithm of its table does what is said.
# all: builds a copy of the tree
# variants: release
set -u
pkg-config --version >/dev/null 2>&1 || { echo 'no pkg-config'; exit 77; }
root=$PWD build=build/$(basename "${LS_BUILD:-build/release}")
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
unset PKG_CONFIG_PATH LD_LIBRARY_PATH NO_COLOR
failed=0

mkdir -p "$work/tree/$build" "$work/home"
cp -a Makefile LICENSE README.md include lib demo test scripts "$work/tree" || exit
for part in "$build"/*; do # other tests write results meanwhile
	[ "$part" = "$build/result" ] || cp -a "$part" "$work/tree/$build" || exit
done
[ -e "$work/tree/build/release" ] || ln -s "$(basename "$build")" "$work/tree/build/release"
ln -s "$build/lockstep" "$work/tree/lockstep"

# Makes the session and what it should print; each command announces itself by a line @ LINE.
awk -v session="$work/session" -v wanted="$work/wanted" '
	function announce() { print "@ " NR >wanted; print "s=$?; echo \"@ " NR "\"; (exit $s)" >session }
	function done() { print "s=$?; [ $s -eq 0 ] || echo \"(exit $s)\"" >session }
	function bad(why) { print "README.md:" NR ": " why; failed = 1 }
	/^```/ && language == "" {
		language = substr($1, 4)
		announce()
		if (language == "sh") {
			print "..." >wanted
			print "set -e" >session
		}
		else if (language ~ /^(c|cpp)$/ && $2) print "program " $2 " <<\\END-OF-PROGRAM" >session
		else if (language !~ /^(console|text)$/) bad("a block of no known kind")
		next
	}
	/^```/ {
		if (language ~ /^c(pp)?$/) print "END-OF-PROGRAM" >session
		if (language == "sh") print "set +e" >session
		else if (language != "text") done()
		language = ""
		next
	}
	language == "console" && /^\$ / { done(); announce(); print substr($0, 3) >session; next }
	language == "console" { print >wanted; next }
	language != "" && language != "text" { print >session }
	END { if (language != "") bad("a block without end"); exit failed }
' README.md || exit

cat >"$work/run" <<'END'
program() {
	cat >written
	if [ -e "$1" ]; then cmp "$1" written; else cp written "$1"; fi
}
make() {
	case $* in
	check*) TESTS=base command make "$@" ;;
	bench*) command make -n "$@" ;;
	*) command make "$@" ;;
	esac
}
sh() { NO_INSTALL=1 command sh "$@"; }
trap 's=$?; [ $s -eq 0 ] || echo "(exit $s)"' EXIT
. ../session
END
if ! command -v c++ >/dev/null; then
	mkdir "$work/bin"
	printf '#!/bin/sh\necho @ skip\nexit 1\n' >"$work/bin/c++"
	chmod 755 "$work/bin/c++"
	PATH=$PATH:$work/bin
fi
(cd "$work/tree" && HOME=$work/home command sh ../run >../printed 2>&1) || failed=1

mask() {
	sed -E '/[0-9]+ runs?, [0-9]+ (threads|workers)/ {
		s/[0-9]+ workers/N workers/
		s/[0-9.]+ (ns|us|ms|s) /TIME /
		s/on [0-9]+ cores?/on N cores/
		s/[0-9.]+ ([kMG] )?messages/RATE messages/
		s/[0-9.]+ ([kMG]?B)/RATE/
		s/ +/ /g
	}' "$1"
}
mask "$work/wanted" >"$work/wanted.masked"
mask "$work/printed" >"$work/printed.masked"

awk '
	# Whether lines i.. of what was wanted at this place fit lines j.. of what was printed.
	function fits(at, i, j) {
		for (; i <= wants[at]; i++) {
			if (want[at, i] == "...") {
				for (; j <= prints[at] + 1; j++)
					if (fits(at, i + 1, j)) return 1
				return 0
			}
			if (j > prints[at] || want[at, i] != printed[at, j]) return 0
			j++
		}
		return j > prints[at]
	}
	/^@ [0-9]+$/ { at = $2; if (NR == FNR) place[++places] = at; else seen[at] = 1; next }
	NR == FNR { want[at, ++wants[at]] = $0; next }
	{ printed[at, ++prints[at]] = $0; if ($0 == "@ skip") skip[at] = 1 }
	END {
		for (k = 1; k <= places; k++) {
			at = place[k]
			if (skip[at]) { skipped++; continue }
			last = prints[at]
			if (seen[at] && !(printed[at, last] ~ /^\(exit [0-9]+\)$/) && fits(at, 1, 1)) continue
			wrong++
			print "README.md:" at (seen[at] ? ": printed is" : ": not reached")
			for (j = last > 30 ? last - 30 : 1; j <= last; j++) print "  " printed[at, j]
		}
		print places " places, " wrong + 0 " wrong, " skipped + 0 " skipped"
		exit wrong > 0 || places < 20
	}
' "$work/wanted.masked" "$work/printed.masked" || failed=1

for path in $(grep -oE '`((lib|demo|test|scripts|include)/[A-Za-z0-9_./]*|LICENSE)`' README.md | tr -d '`'); do
	[ -e "$path" ] || { echo "README.md names $path, which does not exist"; failed=1; }
done

"$root/$build/lockstep" list operations --csv | tail -n +2 >"$work/operations"
sed -n '/^| operation | algorithms |/,/^$/ s/^| \([a-z-]*\) | \(.*\) |$/\1 \2/p' README.md | tail -n +2 >"$work/table"
while read -r operation algorithms; do
	for algorithm in $algorithms; do
		grep "^$operation," "$work/operations" | grep -qw -e "$algorithm" ||
			{ echo "README.md: no algorithm $algorithm of $operation"; failed=1; }
	done
done <"$work/table"
[ "$(wc -l <"$work/table")" -eq "$(grep -c '[a-z]$' "$work/operations")" ] ||
	{ echo 'README.md: its table lacks an operation'; failed=1; }
exit $failed
