#!/bin/sh
# Runs every command of README.md, CONTRIBUTING.md and docs/, each page in a fresh copy of the tree.
#
#   readme.sh [PAGE ...]
#
#   ```sh               run as a whole; its output is not compared
#   ```console          `$ command` (`> ` continues it) and its output; a line `...` stands for any lines
#   ```console no-run   listed and counted, never run; ```sh no-run the same
#   ```c FILE           equals FILE of the tree, or becomes it; ```cpp and ```text the same
#   ```text             nothing to run
#
# Times and rates are masked.  `sh scripts/setup.sh` only reports, `make check` runs one test, and every longer
# target of make is planned, not run.  The links and paths of a page lead somewhere, its list of sections is complete,
# its pictures in docs/images are those that its commands draw, and the table of algorithms in docs/operations.md
# is that of the tool.
# all: builds copies of the tree
# variants: release
set -u
pages=${*:-README.md CONTRIBUTING.md $(ls docs/[a-z]*.md)}
pkg-config --version >/dev/null 2>&1 || { echo 'no pkg-config'; exit 77; }
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

if [ "${1-}" != --page ]; then
	for page in $pages; do echo "$page"; done | xargs -P "$(nproc)" -I '{}' \
		sh -c 'sh "$0" --page "$1" >"$2/$(basename "$1")" 2>&1 || touch "$2/failed"' "$0" '{}' "$work"
	for page in $pages; do cat "$work/$(basename "$page")"; done
	cat "$work"/*.md | awk '/ commands, .* wrong, / { commands += $2; wrong += $4; skipped += $6; unrun += $8 }
		END { print commands " commands, " wrong " wrong, " skipped " skipped, " unrun " not run" }'
	for picture in docs/images/*; do
		grep -q "^\$ ./lockstep draw .* $picture" docs/*.md || { echo "no page draws $picture"; touch "$work/failed"; }
	done
	[ "$(cat docs/images/* | wc -c)" -le 600000 ] || { echo 'docs/images has more than 600 KB'; touch "$work/failed"; }
	[ "$(wc -l <README.md)" -le 250 ] || { echo 'README.md has more than 250 lines'; touch "$work/failed"; }
	[ ! -e "$work/failed" ]
	exit
fi

page=$2 root=$PWD build=build/$(basename "${LS_BUILD:-build/release}") failed=0
unset PKG_CONFIG_PATH LD_LIBRARY_PATH NO_COLOR MAKEFLAGS
tree=$work/tree
CC=$(sed 's/ -std=.*//' "$build/flags")
export CC # else make would build all again
mkdir -p "$tree/$build" "$work/home"
cp -a Makefile LICENSE ./*.md docs include lib demo test scripts "$tree" || exit
for part in flags lib demo liblockstep.a liblockstep.so* lockstep; do
	cp -a "$build"/$part "$tree/$build" || exit
done
[ -e "$tree/build/release" ] || ln -s "$(basename "$build")" "$tree/build/release"
ln -s "$build/lockstep" "$tree/lockstep"

# Makes the session and the output it should have; each command announces itself by a line @ LINE.
awk -v page="$page" -v session="$work/session" -v expected="$work/expected" '
	function announce() { print "@ " NR >expected; print "s=$?; echo \"@ " NR "\"; (exit $s)" >session }
	function done() { print "s=$?; [ $s -eq 0 ] || echo \"(exit $s)\"" >session }
	function bad(why) { print page ":" NR ": " why; failed = 1 }
	function is_file() { return language ~ /^(c|cpp|text)$/ && name != "" }
	/^```/ && language == "" {
		language = substr($1, 4)
		name = $2
		if (name == "no-run") { unrun++; print page ":" NR ": not run"; language = "no-run"; next }
		if (language !~ /^(sh|console|c|cpp|text|json|csv)$/) bad("a block of an unknown kind")
		if (language ~ /^(c|cpp)$/ && name == "") bad("a program without a file")
		if (language == "text" && name == "" || language ~ /^(json|csv)$/) next
		announce()
		if (language == "sh") {
			print "..." >expected
			print "set -e" >session
		}
		if (is_file()) print "program " name " <<\\END-OF-PROGRAM" >session
		next
	}
	/^```/ {
		if (is_file()) print "END-OF-PROGRAM" >session
		if (language == "sh") print "set +e" >session
		if (language == "console" || is_file()) done()
		language = ""
		next
	}
	language == "no-run" { if (/^\$ /) print "    " substr($0, 3); next }
	language == "console" && /^\$ / { done(); announce(); print substr($0, 3) >session; next }
	language == "console" && /^> / { print substr($0, 3) >session; next }
	language == "console" { print >expected; next }
	language == "sh" || is_file() { print >session }
	END {
		if (language != "") bad("a block without an end")
		print unrun + 0 >(session ".unrun")
		exit failed
	}
' "$page" || exit
touch "$work/session" "$work/expected"

cat >"$work/run" <<'END'
program() {
	cat >written
	if [ -e "$1" ]; then cmp "$1" written; else cp written "$1"; fi
}
make() {
	case $* in
	check) TESTS=base command make "$@" ;;
	check* | asan* | tsan* | stress* | litmus* | fuzz* | bench* | style* | dist*) command make -n "$@" ;;
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
(cd "$tree" && HOME=$work/home command sh ../run >../printed 2>&1) || failed=1

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
mask "$work/expected" >"$work/expected.masked"
mask "$work/printed" >"$work/printed.masked"

awk -v page="$page" -v unrun="$(cat "$work/session.unrun")" '
	# Whether lines i.. of what is expected at this place fit lines j.. of what was printed.
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
	/^@ [0-9]+$/ { at = $2; if (FILENAME == ARGV[1]) place[++places] = at; else seen[at] = 1; next }
	FILENAME == ARGV[1] { want[at, ++wants[at]] = $0; next }
	{ printed[at, ++prints[at]] = $0; if ($0 == "@ skip") skip[at] = 1 }
	END {
		for (k = 1; k <= places; k++) {
			at = place[k]
			if (skip[at]) { skipped++; continue }
			last = prints[at]
			if (seen[at] && !(printed[at, last] ~ /^\(exit [0-9]+\)$/) && fits(at, 1, 1)) continue
			wrong++
			print page ":" at (seen[at] ? ": printed is" : ": not reached")
			for (j = last > 30 ? last - 30 : 1; j <= last; j++) print "  " printed[at, j]
		}
		print page ": " places + 0 " commands, " wrong + 0 " wrong, " skipped + 0 " skipped, " unrun " not run"
		exit wrong > 0
	}
' "$work/expected.masked" "$work/printed.masked" || failed=1

# The sections of a page as the targets of links: lower case, blanks as hyphens, no punctuation.
targets() {
	awk '/^```/ { code = !code } !code && /^##+ / { sub(/^#+ /, ""); print }' "$1" |
		tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}

cd "$tree" || exit
awk '/^```/ { code = !code } !code { print NR ": " $0 }' "$page" >../prose
grep -oE '^[0-9]+|\]\([^)]*\)' ../prose | while read -r word; do
	case $word in [0-9]*) line=$word; continue ;; '](http'*) continue ;; esac
	target=${word#](} target=${target%)}
	file=${target%%#*}
	if [ -n "$file" ]; then file=$(dirname "$page")/$file; else file=$page; fi
	[ -e "$file" ] || { echo "$page:$line: no file $file"; continue; }
	case $target in *#*) targets "$file" | grep -qx -e "${target#*#}" || echo "$page:$line: no section $target" ;; esac
done >../links
grep -oE '^[0-9]+|`(lib|demo|test|scripts|include|docs)/[A-Za-z0-9_./]*`' ../prose | tr -d '`' | while read -r word; do
	case $word in [0-9]*) line=$word ;; *NAME*) ;; *) [ -e "$word" ] || echo "$page:$line: no file $word" ;; esac
done >>../links
case $page in
docs/*)
	for section in $(awk '/^```/ { code = !code } !code && /^## /' "$page" | sed 's/^## //; s/ /-/g'); do
		target=$(echo "$section" | tr A-Z a-z | sed 's/[^a-z0-9_-]//g')
		grep -q "](#$target)" "$page" || echo "$page: its list of sections lacks $section"
	done >>../links ;;
esac
cat ../links
[ ! -s ../links ] || failed=1

# The commands of the page have drawn its pictures again.
grep -oE 'docs/images/[a-z0-9-]+\.svg' "$page" | sort -u | while read -r picture; do
	cmp -s "$root/$picture" "$picture" || echo "$page: its command draws another $picture; run 'make golden'"
done >../pictures
cat ../pictures
[ ! -s ../pictures ] || failed=1

if [ "$page" = docs/operations.md ]; then
	"$root/$build/lockstep" list operations --csv | tail -n +2 >"$work/operations"
	sed -n '/^| operation | algorithms |/,/^$/ s/^| \([a-z-]*\) | \(.*\) |$/\1 \2/p' "$page" | tail -n +2 >"$work/table"
	while read -r operation algorithms; do
		for algorithm in $algorithms; do
			grep "^$operation," "$work/operations" | grep -qw -e "$algorithm" ||
				{ echo "$page: no algorithm $algorithm of $operation"; failed=1; }
		done
	done <"$work/table"
	[ "$(wc -l <"$work/table")" -eq "$(grep -c '[a-z]$' "$work/operations")" ] ||
		{ echo "$page: its table lacks an operation"; failed=1; }
fi

# Every key that the tool writes is on the page that lists them; of `info` the keys are the lines of its text.
if [ "$page" = docs/output.md ]; then
	printf '2,3,2,0,R\n' >never.csv
	tool=$root/$build/lockstep
	"$tool" bench broadcast -t complete:2 -m 1:4 --samples 3 -i 10 --csv 2>/dev/null >times.csv
	while read -r words; do
		"$tool" $words --json 2>/dev/null
	done <<-'END' | grep -oE '"[a-z_]+":' | tr -d '":' | sort -u | while read -r key; do
		run allreduce -t star:4
		run allreduce -t star:4 -d int64 -e sweep
		run --plan never.csv -t ring:8
		check allreduce -t ring:8 --mode routed --strict
		list topologies
		list operations
		list algorithms broadcast
		list algorithms broadcast -t ring:8 -v
		steps allgather -t ring:8 -a hypercube:3/doubling
		reproduce figure4.10
		bench broadcast -t complete:2 -m 1:4 --samples 3 -i 10
		fit times.csv
	END
		grep -q "\`$key\`" "$page" || echo "$page: no key $key"
	done >../keys
	cat ../keys
	[ ! -s ../keys ] || failed=1
fi
exit $failed
