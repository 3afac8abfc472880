# Prints the mutants of C sources, one per line, with tabs between:
#
#   FILE LINE COLUMN LENGTH REPLACEMENT CLASS CHANGE SOURCE
#
# REPLACEMENT stands for LENGTH characters from COLUMN on; SOURCE is the line as it is.  A mutant is one
# change in one line.  Comments, texts, preprocessor lines and macros stay as they are.  Some mutants do not
# compile.

BEGIN {
	count = split("< <= <= < > >= >= > == != != == + - - + * / / * % * << >> >> << & | | & && || || && += -= -= +=", word, " ")
	for (i = 1; i < count; i += 2)
		swap[word[i]] = word[i + 1]
}

function put(column, size, text, class, change,    source) {
	source = line
	gsub(/^[ \t]+/, "", source)
	gsub(/\t/, " ", source)
	sub(/^[|] /, "bitwise or ", change)
	sub(/ [|]$/, " bitwise or", change)
	if (text !~ /\t/)
		printf "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", FILENAME, FNR, column, size, text, class, change, source
}

function class_of(operator) {
	return operator ~ /&&|\|\|/ ? "logical" : operator ~ /^(<|<=|>|>=|==|!=)$/ ? "relation" : "arithmetic"
}

# The line with texts, characters and comments blanked out, of the same length.
function code_of(text,    i, c, out, quote) {
	out = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (comment) {
			if (substr(text, i, 2) == "*/") { comment = 0; i++; out = out " " }
			out = out " "
		} else if (quote) {
			out = out "_"
			if (c == "\\") { i++; out = out "_" }
			else if (c == quote) quote = ""
		} else if (substr(text, i, 2) == "/*") { comment = 1; i++; out = out "  " }
		else if (substr(text, i, 2) == "//") return out
		else if (c == "\"" || c == "'") { quote = c; out = out "_" }
		else out = out c
	}
	return out
}

# Operators stand between blanks, as clang-format puts them.
function operators(    at, rest, found) {
	at = 1
	rest = code
	while (match(rest, /[^ \t] (<=|>=|==|!=|<<|>>|&&|\|\||\+=|-=|[-+*\/%<>&|]) [^ ]/)) {
		found = substr(rest, RSTART + 2, RLENGTH - 4)
		put(at + RSTART + 1, length(found), swap[found], class_of(found), found " to " swap[found])
		at += RSTART + 1
		rest = substr(code, at)
	}
	at = 1
	rest = code
	while (match(rest, /\+\+|--/)) {
		found = substr(rest, RSTART, 2)
		put(at + RSTART - 1, 2, found == "++" ? "--" : "++", "arithmetic", found == "++" ? "++ to --" : "-- to ++")
		at += RSTART + 1
		rest = substr(code, at)
	}
}

function constants(    at, rest, number, before) {
	at = 1
	rest = code
	while (match(rest, /[0-9]+/)) {
		number = substr(rest, RSTART, RLENGTH)
		before = at + RSTART > 2 ? substr(code, at + RSTART - 2, 1) : " "
		if (before !~ /[A-Za-z0-9_.]/ && substr(rest, RSTART + RLENGTH, 1) !~ /[A-Za-z0-9_.]/ && length(number) < 9) {
			put(at + RSTART - 1, RLENGTH, number + 1, "constant", number " to " number + 1)
			put(at + RSTART - 1, RLENGTH, number > 0 ? number - 1 : "(-1)", "constant", number " to " number - 1)
		}
		at += RSTART + RLENGTH - 1
		rest = substr(code, at)
	}
}

# A condition that ends in its line.
function conditions(    start, i, depth, c) {
	if (!match(code, /(^|[^a-z_])(if|while) \(/))
		return
	start = RSTART + RLENGTH
	depth = 1
	for (i = start; i <= length(code) && depth > 0; i++) {
		c = substr(code, i, 1)
		depth += (c == "(") - (c == ")")
	}
	if (depth == 0)
		put(start, i - 1 - start, "!(" substr(line, start, i - 1 - start) ")", "condition", "condition negated")
}

function balanced(text) { return gsub(/\(/, "(", text) == gsub(/\)/, ")", text) }

# A call or an assignment that fills its line, after the end of another statement or a condition.
function statements() {
	if (previous !~ /[;{})]$|else$/ || !balanced(code) || !balanced(previous) || code !~ /;$/)
		return
	if (code ~ /^\t+(\([a-z]+\))?\*?[a-z_][][A-Za-z0-9_.>-]*(\(| [-+*\/%|&^<>]*= |\+\+;|--;)/ && code !~ /^\t+(return|for|while|if|switch|sizeof)/) {
		match(code, /^\t+/)
		put(RLENGTH + 1, length(line) - RLENGTH, ";", "statement", "statement deleted")
	}
}

function returns(    value) {
	if (code !~ /^\t+return [^;]+;$/)
		return
	match(code, /return /)
	value = substr(line, RSTART + 7, length(code) - RSTART - 7)
	put(RSTART + 7, length(value), value ~ /^(0|false|LS_OK|NULL)$/ ? 1 : 0, "return", "other value returned")
}

FNR == 1 { previous = ""; comment = 0; macro = 0 }
{
	line = $0
	code = code_of(line)
	sub(/[ \t]+$/, "", code)
	inside = macro
	macro = line ~ /\\$/ && (macro || line ~ /^#/)
	if (code == "" || code ~ /^[ \t]*#/ || inside)
		next
	if (code ~ /^\t/ || code ~ /=/) {
		operators()
		constants()
		conditions()
		statements()
		returns()
	}
	previous = code
}
