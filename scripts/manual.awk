# Writes the manual pages of sections 3 and 7 from the public headers.
#
#   awk -f scripts/manual.awk -v out=FOLDER -v version=0.2.0 -v topologies=FILE.csv \
#       -v templates='docs/man/lockstep-plan.7.in ..' include/lockstep.h include/lockstep/*.h
#
# A header is a head comment, then blocks with an empty line between them.  A block has comments and
# declarations.  It becomes one page, named after its first call or type.  The other names in it are
# links to that page: lines "PAGE LINK" on standard output name them, and the caller makes them.
# A block that is only a comment holds for all blocks after it.
#
# A comment is prose, then tags.  A tag is a word or two, two blanks or more, and a text:
#
#     Owns       *out is the caller's
#     Returns    LS_OK
#                LS_ERR_SPEC  the text of this error
#
# A block inherits the tags that it does not have from the comments that hold for it.
# Indented lines of prose are tables, code or pictures: they are shown as they are.

BEGIN {
	heading["Owns"] = "OWNERSHIP"
	heading["Returns"] = "RETURN VALUE"
	heading["Waits"] = "BLOCKING"
	heading["Called by"] = "THREADS"
}

# Reading -----------------------------------------------------------------------------------------

FNR == 1 {
	end_block()
	header = FILENAME
	sub(/^.*include\//, "", header)
	headers[++header_count] = header
	head_read = 0
	section = ""
}

state == "comment" {
	add_comment($0)
	next
}
state == "macro" {
	raw = raw "\n" $0
	if ($0 !~ /\\$/)
		end_code("macro")
	next
}
state == "code" {
	add_code($0)
	next
}
/^#(ifndef|define) LOCKSTEP_/ || /^#(include|endif|if|else)/ || /^LS_(BEGIN|END)_DECLS/ { next }
/^[ \t]*$/ {
	end_block()
	next
}
/^\/\*/ {
	state = "comment"
	comment = ""
	add_comment($0)
	next
}
/^#/ || /^[A-Z_]+\(.*\)$/ {
	raw = $0
	state = "macro"
	if ($0 !~ /\\$/)
		end_code("macro")
	next
}
{
	raw = code = note = ""
	depth = in_comment = 0
	state = "code"
	add_code($0)
}

function add_comment(line, last)
{
	last = line ~ /\*\//
	sub(/[ \t]*\*\/.*$/, "", line)
	sub(/^ ?\/?\*+ ?/, "", line)
	comment = comment line "\n"
	if (last) {
		sub(/^[ \n]*\n/, "", comment)
		items++
		kind[items] = "comment"
		text[items] = comment
		state = ""
	}
}

# One line of a declaration: raw has it all, code no comments, note the comments outside braces.
function add_code(line, at, rest, i, c)
{
	raw = raw (raw == "" ? "" : "\n") line
	rest = line
	while (rest != "") {
		at = index(rest, in_comment ? "*/" : "/*")
		if (in_comment) {
			if (depth == 0)
				note = note " " (at ? substr(rest, 1, at - 1) : rest)
			in_comment = !at
			rest = at ? substr(rest, at + 2) : ""
			continue
		}
		c = at ? substr(rest, 1, at - 1) : rest
		code = code " " c
		depth += gsub(/[{]/, "{", c) - gsub(/[}]/, "}", c)
		in_comment = at > 0
		rest = at ? substr(rest, at + 2) : ""
	}
	gsub(/[ \t]+/, " ", code)
	if (!in_comment && depth == 0 && code ~ /[;}] ?$/) {
		remove_body()
		end_code("code")
	}
}

# An inline function is shown as if it were declared only.
function remove_body()
{
	if (code !~ /[}] ?$/)
		return
	sub(/ ?[{].*$/, ";", code)
	sub(/static inline/, "LS_API", code)
	sub(/\n[{].*$/, ";", raw)
	sub(/static inline /, "", raw)
}

function end_code(what, name)
{
	items++
	kind[items] = what
	text[items] = raw
	state = ""
	if (what == "macro")
		return
	call[items] = code ~ /LS_API/ && code ~ /\(/
	gsub(/(LS_API|LS_MUST_CHECK|extern) /, "", code)
	gsub(/^ | $/, "", code)
	gsub(/[ \t]+/, " ", note)
	gsub(/^ | $/, "", note)
	prototype[items] = code
	must_check[items] = raw ~ /LS_MUST_CHECK/
	after[items] = note
	name = declared(code)
	if (name != "") {
		named[items] = name
		name_item[name] = items
	}
}

# The name that a declaration declares, "" for an enum without one.
function declared(code, words, n)
{
	if (code ~ /^enum [{]/)
		return ""
	if (code !~ /^typedef/)
		sub(/ ?[{].*$/, "", code)
	if (match(code, /ls_[a-z0-9_]* ?\(/))
		return strip(substr(code, RSTART, RLENGTH - 1))
	sub(/ ?;.*$/, "", code)
	n = split(code, words, /[ *]+/)
	return words[n]
}

function strip(word)
{
	gsub(/^[ *]+|[ ]+$/, "", word)
	return word
}

function end_block(i, only_comment)
{
	if (items == block_end)
		return
	only_comment = 1
	for (i = block_end + 1; i <= items; i++)
		only_comment = only_comment && kind[i] == "comment"
	if (only_comment && !head_read) {
		head[header] = text[items]
		head_read = 1
	} else if (only_comment) {
		section = text[items]
	} else {
		head_read = 1
		blocks++
		first[blocks] = block_end + 1
		last[blocks] = items
		block_header[blocks] = header
		holds[blocks] = section
		name_block(blocks)
	}
	block_end = items
}

function name_block(b, i, calls)
{
	page[b] = ""
	for (i = first[b]; i <= last[b]; i++)
		calls += call[i]
	has_calls[b] = calls > 0
	for (i = first[b]; i <= last[b]; i++)
		if (named[i] != "") {
			if (page[b] == "" && (call[i] || !calls))
				page[b] = named[i]
			block_of[named[i]] = b
		}
}

# Text ----------------------------------------------------------------------------------------------

function escape(line)
{
	gsub(/\\/, "\\e", line)
	gsub(/-/, "\\-", line)
	gsub(/\^/, "\\(ha", line)
	gsub(/~/, "\\(ti", line)
	gsub(/`/, "\\(ga", line)
	return line
}

function literal(line, tabs)
{
	while (match(line, /\t/))
		line = substr(line, 1, RSTART - 1) substr("    ", (RSTART - 1) % 4 + 1) substr(line, RSTART + 1)
	line = escape(line)
	gsub(/'/, "\\(aq", line)
	return line ~ /^[.\\]/ ? "\\&" line : line
}

# Names of pages and constants in bold, words between backquotes in italics.
function mark_up(line, done, word)
{
	done = ""
	while (match(line, /`[^`]+`|[a-z]?ls_[a-z0-9_]+|LS_[A-Z0-9_]+/)) {
		word = substr(line, RSTART, RLENGTH)
		done = done escape(substr(line, 1, RSTART - 1))
		line = substr(line, RSTART + RLENGTH)
		if (word ~ /^`/)
			done = done "\\fI" escape(substr(word, 2, length(word) - 2)) "\\fP"
		else if (word in block_of && page[block_of[word]] != here) {
			mentioned[word] = 1
			sub(/^\(\)/, "", line)
			done = done "\\fB" word "\\fP(3)"
		} else
			done = done "\\fB" word "\\fP"
	}
	return done escape(line)
}

# One paragraph, a sentence or 78 columns a line; a line must not begin with a dot or a quote.
function fill(sentences, words, n, i, line, result)
{
	n = split(mark_up(sentences), words, /[ \n]+/)
	line = result = ""
	for (i = 1; i <= n; i++) {
		if (words[i] == "")
			continue
		if (line != "" && (length(line) + length(words[i]) > 78 || line ~ /[^.][.?!]$/)) {
			result = result line "\n"
			line = ""
		}
		line = line (line == "" ? (words[i] ~ /^[.']/ ? "\\&" : "") : " ") words[i]
	}
	return result line (line == "" ? "" : "\n")
}

function is_tag(line) { return line ~ /^[A-Z][a-z]+( [a-z]+)?  +[^ ]/ }

function tag_of(line)
{
	match(line, /  +/)
	return substr(line, 1, RSTART - 1)
}

# The lines of a comment up to its tags.  Returns roff; `separator` begins a paragraph.
function prose(comment, separator, lines, n, i, filled, shown, result)
{
	n = split(comment, lines, "\n")
	filled = shown = result = ""
	for (i = 1; i <= n + 1; i++) {
		if (i > n || lines[i] ~ /^ *$/ || is_tag(lines[i])) {
			if (shown != "" && i <= n && lines[i] ~ /^ *$/ && lines[i + 1] ~ /^  /) {
				shown = shown "\n"
				continue
			}
			result = result paragraph(filled, shown, separator, result)
			filled = shown = ""
			if (is_tag(lines[i]))
				break
		} else if (lines[i] ~ /^ /) {
			result = result paragraph(filled, "", separator, result)
			filled = ""
			shown = shown lines[i] "\n"
		} else {
			result = result paragraph("", shown, separator, result)
			shown = ""
			filled = filled lines[i] "\n"
		}
	}
	return result
}

function paragraph(filled, shown, separator, before)
{
	if (filled != "")
		return (before == "" ? "" : separator "\n") fill(filled)
	return shown == "" ? "" : example(shown, separator)
}

function example(shown, separator, lines, n, i, indent, result)
{
	n = split(shown, lines, "\n")
	indent = 99
	for (i = 1; i < n; i++)
		if (match(lines[i], /[^ ]/) && RSTART - 1 < indent)
			indent = RSTART - 1
	result = separator "\n.in +2n\n.EX\n"
	for (i = 1; i < n; i++)
		result = result literal(substr(lines[i], indent + 1)) "\n"
	return result ".EE\n.in\n"
}

# The first sentence of a comment, "" where it begins with a tag.
function sentence(comment, at)
{
	if (is_tag(comment))
		return ""
	sub(/\n *\n.*$/, "", comment)
	if (match(comment, /\n([A-Z][a-z]+( [a-z]+)?  | )/))
		comment = substr(comment, 1, RSTART)
	gsub(/[ \n]*\n/, " ", comment)
	gsub(/`/, "", comment)
	if (match(comment, /[.:;](  | ?$)/))
		comment = substr(comment, 1, RSTART - 1)
	gsub(/^ | $/, "", comment)
	return comment
}

# Tags of a comment: tag[NAME] is the text; those that are there already stay, unless `anew`.
function read_tags(comment, anew, lines, n, i, name, column, own, line)
{
	n = split(comment, lines, "\n")
	name = ""
	for (i = 1; i <= n; i++) {
		line = lines[i]
		if (is_tag(line)) {
			name = tag_of(line)
			match(line, /  +/)
			column = RSTART + RLENGTH
			if (name in own || anew || !(name in tag)) {
				if (!(name in tag))
					tag_order[++tag_count] = name
				own[name] = 1
				tag[name] = (name in tag && anew ? tag[name] : "") substr(line, column) "\n"
			} else
				name = ""
		} else if (line ~ /^ / && name != "")
			tag[name] = tag[name] substr(line, min(column, indent_of(line) + 1)) "\n"
		else
			name = ""
	}
}

function min(a, b) { return a < b ? a : b }

function indent_of(line)
{
	match(line, /[^ ]/)
	return RSTART - 1
}

# Pages ---------------------------------------------------------------------------------------------

function put(string) { printf "%s", string >target }

function open_page(name, part, title)
{
	here = name
	target = out "/man" part "/" name "." part
	for (word in mentioned)
		delete mentioned[word]
	put(".\\\" Generated by scripts/manual.awk from the headers in include/lockstep.\n")
	put(".TH " name " " part " \"\" \"Lockstep " version "\" \"Lockstep manual\"\n.SH NAME\n" title)
}

function library()
{
	put(".SH LIBRARY\nLockstep: compile and link with\n.PP\n.in +2n\n.EX\n" \
		"cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs lockstep)\n.EE\n.in\n")
}

# A prototype in bold, broken behind commas.
function synopsis(code, words, n, i, line, result)
{
	gsub(/\( /, "(", code)
	n = split(code, words, ", ")
	line = result = ""
	for (i = 1; i <= n; i++) {
		if (line != "" && length(line) + length(words[i]) > 74) {
			result = result "\\fB" literal(line) "\\fP\n"
			line = "       "
		}
		line = line (line == "" ? "" : " ") words[i] (i < n ? "," : "")
	}
	return result "\\fB" literal(line) "\\fP\n"
}

function verbatim(i, lines, n, j, result)
{
	n = split(text[i], lines, "\n")
	result = ""
	for (j = 1; j <= n; j++) {
		gsub(/(LS_API|LS_MUST_CHECK) /, "", lines[j])
		result = result literal(lines[j]) "\n"
	}
	return result
}

function write_synopsis(b, i, before)
{
	put(".SH SYNOPSIS\n.EX\n\\fB#include <lockstep.h>\\fP\n")
	for (i = first[b]; i <= last[b]; i++)
		if (kind[i] == "comment")
			continue
		else {
			put((before == "call" && call[i] ? "" : "\n") (call[i] ? synopsis(prototype[i]) : verbatim(i)))
			before = call[i] ? "call" : "type"
		}
	put(".EE\n")
}

# Names that the comment at item i speaks of: those up to the next comment.
function covered(b, i, names)
{
	names = ""
	for (i++; i <= last[b] && kind[i] != "comment"; i++)
		if (named[i] != "")
			names = names (names == "" ? "" : ", ") named[i] (call[i] ? "()" : "")
	return names
}

function write_description(b, i, comments, names)
{
	put(".SH DESCRIPTION\n")
	for (i = first[b]; i <= last[b]; i++)
		comments += kind[i] == "comment" && prose(text[i], ".PP") != ""
	if (comments == 0)
		put(fill(sentence(head[block_header[b]]) "."))
	for (i = first[b]; i <= last[b]; i++) {
		if (kind[i] == "comment" && prose(text[i], ".PP") != "") {
			names = covered(b, i)
			if (comments > 1 && names != "")
				put(".SS \"" escape(names) "\"\n")
			put(prose(text[i], ".PP"))
		}
		if (kind[i] == "code" && after[i] != "" && !gives_value(i))
			put(".TP\n.B " named[i] "\n" fill(after[i]))
	}
}

function gives_value(i) { return call[i] && prototype[i] !~ /^void ls_/ }

function write_values(b, i, values, checked, returned)
{
	for (i = first[b]; i <= last[b]; i++) {
		values += gives_value(i)
		checked += must_check[i]
		returned += gives_value(i) && after[i] != ""
	}
	if (!values)
		return
	if ("Returns" in tag)
		write_returned(tag["Returns"])
	else if (checked)
		put(".SH RETURN VALUE\n\\fBLS_OK\\fP (0), or one of the negative values of\n" \
			".BR lockstep_status.h (3).\n")
	else if (returned)
		put(".SH RETURN VALUE\n")
	for (i = first[b]; i <= last[b]; i++)
		if (gives_value(i) && after[i] != "")
			put(".TP\n.BR " named[i] " ()\n" fill(after[i]))
}

# The lines of Returns: an entry for a status and its text, or prose.
function write_returned(lines_text, lines, n, i, entry, entries, names, texts, plain)
{
	n = split(lines_text, lines, "\n")
	entry = entries = 0
	plain = ""
	for (i = 1; i < n; i++) {
		if (lines[i] ~ /^ / && entry)
			texts[entry] = texts[entry] " " lines[i]
		else if (entry && names[entry] ~ /,$/ && lines[i] ~ /^LS_/)
			names[entry] = names[entry] " " lines[i]
		else if (match(lines[i], /^LS_[A-Z_]+(, (LS_[A-Z_]+|\.\.))*(   *|,?$)/)) {
			entry = ++entries
			names[entry] = strip(substr(lines[i], 1, RLENGTH))
			texts[entry] = substr(lines[i], RLENGTH + 1)
		} else {
			entry = 0
			plain = plain (plain != "" && lines[i] ~ /^[a-z_]+: / ? "\n" : "") lines[i] "\n"
		}
	}
	put(".SH RETURN VALUE\n")
	for (i = 1; i <= entries; i++)
		if (names[i] ~ /^LS_OK/) {
			put("\\fBLS_OK\\fP (0)" (names[i] == "LS_OK" && texts[i] != "" ? \
				":\n" fill(texts[i] ".") : " on success.\n"))
			sub(/^LS_OK(, )?/, "", names[i])
		}
	if (entries > 0)
		put("On failure one of the negative values under ERRORS.\n")
	n = split(plain, lines, /\n\n/)
	for (i = 1; i <= n; i++)
		put((i > 1 || entries > 0 ? ".PP\n" : "") fill(capital(lines[i])))
	write_errors(names, texts, entries, plain)
}

function write_errors(names, texts, entries, plain, i, n, j, words, known, begun)
{
	for (i = 1; i <= entries; i++) {
		n = split(names[i], words, /[, ]+/)
		for (j = 1; j <= n; j++)
			known[words[j]] = 1
		if (names[i] == "")
			continue
		if (!begun++)
			put(".SH ERRORS\n")
		if (strip(texts[i]) != "")
			put(".TP\n.B " escape(names[i]) "\n" fill(texts[i]))
		else
			for (j = 1; j <= n; j++)
				put(error_entry(words[j]))
	}
	while (match(plain, /LS_ERR_[A-Z]+/)) {
		i = substr(plain, RSTART, RLENGTH)
		plain = substr(plain, RSTART + RLENGTH)
		if (!(i in known)) {
			known[i] = 1
			if (!begun++)
				put(".SH ERRORS\n")
			put(error_entry(i))
		}
	}
}

function error_entry(status)
{
	return status ~ /^LS_ERR/ ? ".TP\n.B " status "\n" fill(status_text[status]) : ""
}

# The texts of enum ls_status.
function read_statuses(lines, n, i, name, comment)
{
	n = split(text[name_item["ls_status"]], lines, "\n")
	for (i = 1; i <= n; i++)
		if (match(lines[i], /LS_[A-Z_]+/)) {
			name = substr(lines[i], RSTART, RLENGTH)
			comment = lines[i]
			if (sub(/^.*\/\* */, "", comment)) {
				sub(/ *\*\/.*$/, "", comment)
				status_text[name] = comment
			}
		}
}

function write_tags(i, name)
{
	for (i = 1; i <= tag_count; i++) {
		name = tag_order[i]
		if (name != "Returns")
			put(".SH " (name in heading ? heading[name] : toupper(name)) "\n" tag_prose(tag[name]))
	}
}

# The text of a tag as sentences, or as it is where it has columns of its own.
function tag_prose(lines_text)
{
	if (lines_text ~ /(^|\n) /)
		return example(lines_text, ".PP")
	sub(/\n$/, "", lines_text)
	return fill(capital(lines_text) (lines_text ~ /[.:]$/ ? "" : "."))
}

# The text with a capital, unless it begins with a name of the program.
function capital(words)
{
	return words ~ /^[a-z]+[ ,:]/ ? toupper(substr(words, 1, 1)) substr(words, 2) : words
}

function write_types(b, i, words, n, j, shown, item)
{
	for (i = first[b]; i <= last[b]; i++) {
		if (!call[i])
			continue
		n = split(prototype[i], words, /[^a-z0-9_]+/)
		for (j = 1; j <= n; j++)
			if (words[j] in name_item && block_of[words[j]] != b && !(words[j] in shown)) {
				item = name_item[words[j]]
				if (call[item] || text[item] !~ /[{]/)
					continue
				mentioned[words[j]] = 1
				put((length_of(shown) ? "\n" : ".SH TYPES\n.EX\n") verbatim(item))
				shown[words[j]] = 1
			}
	}
	if (length_of(shown))
		put(".EE\n")
}

function length_of(array, n, word)
{
	n = 0
	for (word in array)
		n++
	return n
}

function write_notes(b, result)
{
	result = prose(holds[b], ".PP")
	if (head[block_header[b]] != "")
		result = result (result == "" ? "" : ".PP\n") prose(head[block_header[b]], ".PP")
	put(".SH NOTES\n" result)
}

function header_page(header)
{
	gsub(/\//, "_", header)
	return header
}

function write_see_also(b, i, j, b2, seen)
{
	put(".SH SEE ALSO\n")
	seen[b] = 1
	for (i = 1; i <= items; i++)
		if (named[i] in mentioned) {
			b2 = block_of[named[i]]
			if (!(b2 in seen))
				put(".BR " page[b2] " (3),\n")
			seen[b2] = 1
		}
	put(".BR " header_page(block_header[b]) " (3),\n.BR lockstep.h (3),\n.BR lockstep (1)\n")
}

# One line about a block: of the comment before what the page is named after, else of the header.
function summary(b, found)
{
	found = sentence(comment_before(page[b]))
	if (found == "" && first[b] == last[b])
		found = sentence(after[first[b]])
	if (found == "")
		found = sentence(head[block_header[b]])
	if (length(found) > 100 && match(substr(found, 20), /[:;] /))
		found = substr(found, 1, RSTART + 18)
	return found
}

function page_names(b, i, names)
{
	names = page[b]
	for (i = first[b]; i <= last[b]; i++)
		if (named[i] != "" && named[i] != page[b] && (call[i] || !has_calls[b]))
			names = names ", " named[i]
	return names
}

function write_block(b, i)
{
	open_page(page[b], 3, page_names(b) " \\- " escape(summary(b)) "\n")
	for (i in tag)
		delete tag[i]
	tag_count = 0
	for (i = first[b]; i <= last[b]; i++)
		if (kind[i] == "comment")
			read_tags(text[i], 1)
	read_tags(holds[b], 0)
	read_tags(head[block_header[b]], 0)
	library()
	write_synopsis(b)
	write_description(b)
	if (has_calls[b]) {
		write_values(b)
		write_tags()
		write_types(b)
	}
	write_notes(b)
	write_see_also(b)
	close(target)
	for (i = first[b]; i <= last[b]; i++)
		if (named[i] != "" && named[i] != page[b] && block_of[named[i]] == b)
			print page[b] ".3", out "/man3/" named[i] ".3"
}

# The page of a header: its head comment, its types and constants, a line for each page of calls.
function write_header(header, b, i, begun)
{
	open_page(header_page(header), 3, header_page(header) " \\- " escape(sentence(head[header])) "\n")
	library()
	put(".SH SYNOPSIS\n.EX\n\\fB#include <" header ">\\fP\n.EE\n.SH DESCRIPTION\n" prose(head[header], ".PP"))
	for (b = 1; b <= blocks; b++)
		if (block_header[b] == header && !has_calls[b])
			for (i = first[b]; i <= last[b]; i++) {
				put((begun++ ? "" : ".SH TYPES AND CONSTANTS\n.EX\n") (i == first[b] && begun > 1 ? "\n" : ""))
				put(kind[i] == "comment" ? shown_comment(text[i]) : verbatim(i))
			}
	put(begun ? ".EE\n" : "")
	begun = 0
	for (b = 1; b <= blocks; b++)
		if (block_header[b] == header && has_calls[b])
			put((begun++ ? "" : ".SH CALLS\n") ".TP\n" call_names(b) fill(summary(b)))
	put(".SH SEE ALSO\n.BR lockstep.h (3),\n.BR lockstep (1)\n")
	close(target)
}

function call_names(b, i, names)
{
	names = ""
	for (i = first[b]; i <= last[b]; i++)
		if (call[i])
			names = names (names == "" ? "" : ", ") "\\fB" named[i] "\\fP(3)"
	return names "\n"
}

function shown_comment(comment)
{
	sub(/[ \n]+$/, "", comment)
	if (comment !~ /\n/)
		return literal("/* " comment " */") "\n"
	gsub(/\n/, "\n * ", comment)
	return shown_lines("/*\n * " comment "\n */")
}

function shown_lines(block, lines, n, i, result)
{
	n = split(block, lines, "\n")
	result = ""
	for (i = 1; i <= n; i++) {
		sub(/ +$/, "", lines[i])
		result = result literal(lines[i]) "\n"
	}
	return result
}

function write_overview(header, i)
{
	open_page("lockstep.h", 3, "lockstep.h \\- " escape(sentence(head["lockstep.h"])) "\n")
	library()
	put(".SH SYNOPSIS\n.EX\n\\fB#include <lockstep.h>\\fP\n.EE\n.SH DESCRIPTION\n" prose(head["lockstep.h"], ".PP"))
	put(".SH HEADERS\n")
	for (i = 1; i <= header_count; i++)
		if (headers[i] in declares)
			put(".TP\n.BR " header_page(headers[i]) " (3)\n" fill(sentence(head[headers[i]]) "."))
	put(".SH SEE ALSO\n.BR lockstep (1),\n.BR lockstep\\-topology (7),\n.BR lockstep\\-plan (7)\n")
	close(target)
}

# Section 7: a template in roff, in which
#
#   @head HEADER      is the prose of the head comment of a header
#   @comment NAME     is the prose of the comment before a declaration
#   @declaration NAME is the declaration itself
#   @topologies       is the list of networks

function write_template(path, name, line, words)
{
	name = path
	sub(/^.*\//, "", name)
	sub(/\.7\.in$/, "", name)
	here = name
	target = out "/man7/" name ".7"
	while ((getline line <path) > 0) {
		split(line, words, " ")
		if (words[1] == "@head")
			put(needed(head[words[2]], path, line))
		else if (words[1] == "@comment")
			put(needed(comment_before(words[2]), path, line))
		else if (words[1] == "@declaration")
			put(words[2] in name_item ? ".in +2n\n.EX\n" verbatim(name_item[words[2]]) ".EE\n.in\n" : \
				needed("", path, line))
		else if (words[1] == "@topologies")
			write_topologies()
		else {
			gsub(/@VERSION@/, version, line)
			put(line "\n")
		}
	}
	close(target)
}

function needed(comment, path, line)
{
	if (comment == "") {
		print path ": no such comment or declaration: " line >"/dev/stderr"
		failed = 1
	}
	return prose(comment, ".PP")
}

function comment_before(name, b, i)
{
	if (!(name in name_item))
		return ""
	b = block_of[name]
	for (i = name_item[name]; i >= first[b]; i--)
		if (kind[i] == "comment")
			return text[i]
	return ""
}

function csv(line, fields, n)
{
	n = 0
	while (line != "" || n == 0) {
		if (match(line, /^"([^"]|"")*"/)) {
			fields[++n] = substr(line, 2, RLENGTH - 2)
			gsub(/""/, "\"", fields[n])
		} else {
			match(line, /^[^,]*/)
			fields[++n] = substr(line, 1, RLENGTH)
		}
		line = substr(line, RLENGTH + 2)
	}
	return n
}

function write_topologies(line, names, fields, n, i, column)
{
	getline line <topologies
	n = csv(line, names)
	for (i = 1; i <= n; i++)
		column[names[i]] = i
	while ((getline line <topologies) > 0) {
		csv(line, fields)
		put(".TP\n.B " escape(fields[column["topology"]]) "\n" fill(fields[column["text"]] "."))
		if (fields[column["example"]] != "")
			put(sprintf("\\fB%s\\fP: nodes %s, degree %s, diameter %s, links %s.\n", \
				escape(fields[column["example"]]), fields[column["nodes"]], \
				fields[column["degree"]], fields[column["diameter"]], fields[column["links"]]))
	}
	close(topologies)
}

END {
	end_block()
	read_statuses()
	for (b = 1; b <= blocks; b++)
		if (page[b] != "") {
			declares[block_header[b]] = 1
			write_block(b)
		}
	for (i = 1; i <= header_count; i++)
		if (headers[i] in declares)
			write_header(headers[i])
	write_overview()
	n = split(templates, path, " ")
	for (i = 1; i <= n; i++)
		write_template(path[i])
	exit failed
}
