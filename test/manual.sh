#!/bin/sh
# Every call and constant that the library exports has a manual page of section 3, every option one entry in
# lockstep.1, every network one in section 7; the formatters accept all pages.
# variants: release
set -eu
root=$PWD man=$LS_BUILD/man work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "manual: $*"; exit 1; }
in_page() { grep -qF -e "$2" "$man/$1" || fail "no '$2' in $1"; }

# The library knows the calls; built-in types and operators have no pages of their own.
nm -D --defined-only "$LS_BUILD/liblockstep.so" | awk '{ print $3 }' |
	grep -v -e '^ls_type_[a-z]*[0-9]*$' -e '^ls_op_[a-z]*$' >"$work/exported"
nm -D --defined-only "$LS_BUILD/liblockstep.so" | awk '$2 == "T" { print $3 }' >"$work/calls"
[ "$(wc -l <"$work/calls")" -ge 100 ] || fail no calls found
sort -u "$work/exported" "$work/calls" | while read -r name; do
	page=$man/man3/$name.3
	[ -f "$page" ] || fail "no page for $name"
	sed -n '/^.SH SYNOPSIS/,/^.SH DESCRIPTION/p' "$page" | grep -q "[ *]$name[(;]" || fail "no prototype of $name"
	sed -n '/^.SH NAME/,/^.SH LIBRARY/p' "$page" | grep -q "$name" || fail "no $name in its NAME"
	for section in NAME LIBRARY SYNOPSIS DESCRIPTION 'SEE ALSO'; do
		[ "$(grep -c "^.SH $section\$" "$page")" -eq 1 ] || fail "$name: section $section"
	done
	sed -n '/^.SH DESCRIPTION/,/^.SH/p' "$page" | grep -qv '^\.SH' || fail "$name: no description"
done
# What a reader of `man ls_allreduce` needs is on that page, not in the header alone.
in_page man3/ls_allreduce.3 'int ls_allreduce(ls_node *, const void *mine, void *result, size_t n,'
in_page man3/ls_allreduce.3 '.B LS_ERR_UNSUPPORTED'
in_page man3/ls_allreduce.3 '.SH RETURN VALUE'
in_page man3/ls_allreduce.3 '.SH OWNERSHIP'
in_page man3/ls_machine_make.3 'struct ls_machine_options {'

# Every reference to a page of ours leads to one.
cat "$man"/man?/* | tr -d '\\' | grep -oE '(fB|^\.BR )l[a-z_.-]+[a-z_0-9]*(fP)? ?\([1-8]\)' | sed 's/^fB//; s/^\.BR //; s/fP//' |
	tr -d ' ' | sort -u | sed 's/(\(.\))$/ \1/' | while read -r name part; do
	[ -f "$man/man$part/$name.$part" ] || fail "no page $name($part)"
done

# A header with each kind of declaration.
mkdir -p "$work/include" "$work/man3" "$work/man7"
cat >"$work/include/odd.h" <<'HEADER'
/*
 * Odd: a header with every kind of declaration.
 */
#ifndef LOCKSTEP_ODD_H
#define LOCKSTEP_ODD_H

#define LS_MANY(X) \
	X(A, a) \
	X(B, b)

/* A callback. */
typedef int ls_visit(void *context, const char *name);

enum { LS_ODD = 3 };

enum ls_color { LS_RED, LS_GREEN }; /* of the rainbow */

struct ls_pair {
	int (*first)(void *, int); /* called once */

	/*
	 * Called twice.
	 */
	void (*second)(void);
};

LS_API extern const struct ls_pair ls_pair_default;

/*
 * Call `visit` for each pair.
 *
 *     a --- b
 *     |     |
 *
 * Owns       nothing
 * Returns    LS_OK
 *            LS_ERR_ODD   not even,
 *                         but odd
 *            LS_ERR_EVEN
 */
LS_API LS_MUST_CHECK int ls_each(const struct ls_pair *,
	int (*visit)(void *context, int (*deep)(int, int)), ls_visit *then, void *context);
LS_API unsigned char *const *ls_bytes(void); /* the bytes, in
												two lines */
LS_API void ls_nothing(void);

#endif
HEADER
cat >"$work/include/status.h" <<'HEADER'
/* Status. */
enum ls_status {
	LS_OK = 0,
	LS_ERR_EVEN = -1, /* divisible by two */
};
HEADER
(cd "$work" && awk -f "$root/scripts/manual.awk" -v out=. -v version=1 include/odd.h include/status.h >links)
has() { grep -qxF -e "$2" "$work/man3/$1" || { cat "$work/man3/$1"; fail "no line '$2'"; }; }
has ls_each.3 'ls_each, ls_bytes, ls_nothing \- Call visit for each pair'
has ls_each.3 '\fBint ls_each(const struct ls_pair *, int (*visit)(void *context,\fP'
has ls_each.3 '\fB        int (*deep)(int, int)), ls_visit *then, void *context);\fP'
has ls_each.3 '\fBunsigned char *const *ls_bytes(void);\fP'
has ls_each.3 'a \-\-\- b'
has ls_each.3 '.B LS_ERR_ODD'
has ls_each.3 'not even, but odd'
has ls_each.3 'divisible by two'
has ls_each.3 'the bytes, in two lines'
has ls_each.3 '    int (*first)(void *, int); /* called once */'
has ls_visit.3 'typedef int ls_visit(void *context, const char *name);'
has ls_color.3 'enum ls_color { LS_RED, LS_GREEN }; /* of the rainbow */'
has ls_pair_default.3 'extern const struct ls_pair ls_pair_default;'
has odd.h.3 'enum { LS_ODD = 3 };'
has odd.h.3 '    X(B, b)'
printf 'ls_each.3 ./man3/ls_bytes.3\nls_each.3 ./man3/ls_nothing.3\n' | cmp - "$work/links" || fail links

# lockstep.1 has every verb and option, and no other.
page=$man/man1/lockstep.1
sed '/^.\\"/d; s/\\-/-/g; s/\\f[A-Z]//g' "$page" >"$work/manual"
for verb in run steps draw check find records bench chart fit list reproduce info; do
	"$LOCKSTEP" help $verb >"$work/help"
	grep -q "^\(\.br\|\)lockstep $verb" "$work/manual" || fail "no synopsis of $verb"
	sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\2/p' "$work/help" >>"$work/options"
done
[ "$(sort -u "$work/options" | wc -l)" -ge 25 ] || fail no options found
sort -u "$work/options" | while read -r option; do
	grep -qE -e "^(-., )?--$option([^a-z-]|$)" "$work/manual" || fail "no option --$option"
done
grep -oE -e '--[a-z-]+' "$work/manual" | tr -d '-' | sort -u >"$work/in_manual"
tr -d '-' <"$work/options" | sort -u | comm -23 "$work/in_manual" - >"$work/other"
if grep . "$work/other"; then fail unknown options; fi
printf '@option nonsense\ntext\n' >"$work/details"
if awk -v out="$work/page" -f scripts/details.awk "$work/details" "$page" 2>"$work/message"; then
	fail accepts details of an unknown option
fi
grep -q '@option nonsense' "$work/message" || fail does not name the unknown option

"$LOCKSTEP" list topologies | awk 'NR > 1 { print $1 }' | while read -r spec; do
	in_page man7/lockstep-topology.7 ".B $spec"
done
in_page man7/lockstep-plan.7 'lockstep plan 1'
in_page man7/lockstep-plan.7 '.SH LAWS'

# A fast test formats a part of section 3.
formatted='*.[1-8]'
[ -z "${LS_FAST:-}" ] || formatted='*[ek].[1-8]'
if command -v groff >/dev/null; then
	find "$man" -type f -name "$formatted" -exec groff -man -ww -z {} + >"$work/out" 2>&1 || :
	if grep . "$work/out"; then fail groff warns; fi
fi
if command -v mandoc >/dev/null; then
	find "$man" -type f -name "$formatted" -exec mandoc -Tlint -W warning {} + |
		grep -v -e 'missing date' -e 'referenced manual not found' >"$work/out" || :
	if grep . "$work/out"; then fail mandoc warns; fi
fi
echo "$(wc -l <"$work/calls") calls, $(ls "$man"/man?/* | wc -l) pages"
command -v groff >/dev/null || command -v mandoc >/dev/null || { echo 'no groff and no mandoc'; exit 77; }
