#!/bin/bash
# Completion offers the verbs, their options and the words of options, in bash, and in zsh and fish where they
# are installed.  The tool accepts all of those words.
# variants: release
set -eu
command -v bash >/dev/null || { echo 'no bash'; exit 77; }
[ -n "${BASH_VERSION-}" ] || exec bash "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "completion: $*"; exit 1; }
folder=$LS_BUILD/completion
. "$folder/bash"

# The words that complete the last of the arguments, which are split as readline does.
offer() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_lockstep lockstep "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || :
	echo "${COMPREPLY[*]}"
}
expect() { # WORDS LINE...
	local words=$1 found
	shift
	found=$(offer "$@")
	[ "$found" = "$words" ] || fail "$* offers '$found', not '$words'"
}
sorted() { tr ' ' '\n' | sort | tr '\n' ' '; }

expect 'run records reproduce' lockstep r
expect 'allreduce allgather alltoall' lockstep run al
expect 'allreduce' lockstep -t ring : 4 check allr
expect 'hypercube:' lockstep run allreduce -t hyp
expect 'hypercube:' lockstep run --topology = hyp
expect '' lockstep run allreduce -t hypercube : ''
expect '--message-size --map --mode --mailbox' lockstep run allreduce -t hypercube : 3 --m
expect 'hop routed' lockstep run --mode ''
expect 'hop routed' lockstep run --mode =
expect 'routed' lockstep run --mode = r
expect 'mailboxes,sweep' lockstep bench allreduce -e mailboxes,s
expect '' lockstep run allreduce -e mailboxes,s
expect 'time rounds' lockstep draw --x-axis ''
expect 'always auto' lockstep run --color = a
expect 'allreduce allgather alltoall' lockstep run --color al
expect '' lockstep run -m ''
expect 'topologies operations algorithms' lockstep list ''
expect 'scan scatter' lockstep list algorithms sca
expect 'steps' lockstep help st
expect 'exscan exchange' lockstep bench ex
expect 'stream' lockstep bench st
expect 'table1 table1-caption table2' lockstep reproduce ta
expect 'figure4.12' lockstep reproduce table2 figure4.12
expect 'figure4.12' lockstep draw figure4.12
expect 'allreduce allgather alltoall' lockstep draw al
expect 'figure4.20 figure4.21 figure4.22 figure4.23 figure4.24 figure4.2' lockstep reproduce figure4.2
touch "$work/a b.csv" "$work/c.csv"
expect "$work/a b.csv" lockstep fit "$work/a"
expect "$work/c.csv" lockstep fit "$work/a b.csv" "$work/c"
expect "$work/c.csv" lockstep run allreduce --output "$work/c"
expect "$work/c.csv" lockstep steps allreduce "$work/c"
expect "$work/c.csv" lockstep bench allreduce -t ring:4 "$work/c"
expect "$work/c.csv" lockstep chart "$work/a b.csv" "$work/c"

# Options: those that help lists.
for verb in run steps draw check bench chart fit list reproduce info help; do
	"$LOCKSTEP" $verb --help | sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/--\2/p' | sort | tr '\n' ' ' >"$work/help"
	[ -s "$work/help" ] || continue # help itself prints the verbs
	offer lockstep $verb -- | sorted | cmp -s - "$work/help" || fail "options of $verb"
done

# Words: those of the tables of the library.
"$LOCKSTEP" list operations --csv | sed 1d | cut -d, -f1 | sort | tr '\n' ' ' >"$work/operations"
offer lockstep run '' | sorted | cmp -s - "$work/operations" || fail operations
"$LOCKSTEP" list algorithms --csv | sed 1d | cut -d, -f2 | sort -u | tr '\n' ' ' >"$work/algorithms"
offer lockstep run -a '' | sorted | cmp -s - "$work/algorithms" || fail algorithms
"$LOCKSTEP" list topologies --csv | sed 1d | tr -d '"' | sed -n 's/^\([a-z]*:\).*/\1/p' | sort | tr '\n' ' ' >"$work/topologies"
offer lockstep run -t '' | sorted | cmp -s - "$work/topologies" || fail topologies
for kind in type op; do
	nm -D --defined-only "$LS_BUILD/liblockstep.so" | awk '$2 != "T" { print $3 }' |
		sed -n "s/^ls_${kind}_//p" | sort | tr '\n' ' ' >"$work/words"
	[ "$(wc -w <"$work/words")" -eq 12 ] || fail "words of $kind"
	offer lockstep run --$kind '' | sorted | cmp -s - "$work/words" || fail "words of $kind"
done

# Items: the verb accepts each, and complains about the last word only.
offer lockstep reproduce '' | tr ' ' '\n' >"$work/items"
[ "$(wc -l <"$work/items")" -eq 57 ] || fail items
xargs -n 16 <"$work/items" | while read -r items; do
	"$LOCKSTEP" reproduce $items zzzzzzzz 2>"$work/message" || grep -q "item 'zzzzzzzz';" "$work/message" ||
		fail "an item is not accepted: $(cat "$work/message")"
done

# Words with a list in the tool: it accepts each, and its message about another word names each.
for option in mode rounds bind engine color; do
	words=$(offer lockstep run --$option = '')
	[ "$(echo "$words" | wc -w)" -ge 2 ] || fail "no words of --$option"
	"$LOCKSTEP" run barrier -t ring:2 --$option=zzzzzzzz 2>"$work/message" && fail "--$option zzzzzzzz"
	for word in $words; do
		grep -qw -e "$word" "$work/message" || fail "the message about --$option does not name $word"
		"$LOCKSTEP" run allreduce -t ring:2 --$option=$word >/dev/null || fail "--$option=$word"
	done
done

for shell in zsh fish tcsh; do
	"$LOCKSTEP" help --completion $shell >"$work/$shell" 2>"$work/message" || [ $shell = tcsh ] || fail $shell
done
grep -q 'bash, zsh or fish' "$work/message" || fail an unknown shell
cmp -s "$work/zsh" "$folder/zsh" || fail the built script

shells=bash
if command -v fish >/dev/null; then
	shells="$shells, fish"
	fish_offers() { # LINE
		HOME=$work XDG_CONFIG_HOME=$work fish --no-config -c "source $folder/fish; complete -C '$1'"
	}
	fish_offers 'lockstep run al' | grep -q '^alltoall.*total exchange' || fail fish: operations
	fish_offers 'lockstep run allreduce --mode ' | cut -f1 | sorted | grep -qx 'hop routed ' || fail fish: modes
	fish_offers 'lockstep list ' | cut -f1 | sorted | grep -qx 'algorithms operations topologies ' || fail fish: lists
	fish_offers 'lockstep reproduce table2 theorem' | cut -f1 | sorted | grep -qx 'theorem1 theorem2 theorem3 ' || fail fish: items
	fish_offers 'lockstep re' | grep -q '^reproduce' || fail fish: verbs
	fish_offers 'lockstep info --' | grep -q -- --mode && fail fish: options of another verb
fi
if command -v zsh >/dev/null; then
	shells="$shells, zsh"
	zsh -f -n "$folder/zsh" || fail zsh: syntax
	mkdir "$work/functions"
	cp "$folder/zsh" "$work/functions/_lockstep"
	# An interactive zsh on a terminal of its own; each read waits for its text.
	cat >"$work/terminal" <<-'TERMINAL'
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "fpath=($1/functions \$fpath); autoload -U compinit; compinit -u -d $1/dump; stty columns 200; echo RE''ADY"
		zpty -r -m shell out '*READY*'
		zpty -n -w shell $'lockstep run allreduce --mode \t'
		zpty -r -m shell out '*hop *-- a message crosses one link*routed *-- *'
		zpty -n -w shell $'\C-ulockstep bench -e auto,swe\t -t debr\t'
		zpty -r -m shell out '*auto,sweep*debruijn:*'
		zpty -n -w shell $'\C-ulockstep list algorithms \t'
		zpty -r -m shell out '*broadcast *-- one-to-all broadcast*'
		zpty -n -w shell $'\C-ulockstep reproduce table2 equation4.\t'
		zpty -r -m shell out '*equation4.1 *-- *equation4.5 *-- *'
		zpty -d shell
		print complete
	TERMINAL
	HOME=$work timeout 600 zsh -f "$work/terminal" "$work" >"$work/out" 2>&1 || :
	grep -qx complete "$work/out" || { cat "$work/out"; fail zsh; }
fi
echo "$shells"
