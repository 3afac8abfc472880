# The CSV of scripts/growth as a table.
#
#   form=text   every line; lines of two fields name skipped networks
#   form=page   the table of docs/benchmarks.md: all stars, and every fourth hypercube
#   form=chart  the CSV with a last column that names the curve of the network
#   form=caption  which cache the working set fits, up to which number of nodes

BEGIN { FS = "," }
form == "chart" { print $0 "," ($1 == "network" ? "curve" : curve()); next }
form == "caption" { if ($1 != "network") note_level(); next }
END { if (form == "caption") print_levels() }
$1 == "network" { form == "text" ? text_head() : page_head(); next }
NF == 2 { if (form == "text") printf "%-13s %s\n", $1, $2; next }
form == "text" {
	printf "%-13s %11.0f %6d %15.0f %9s %14.2f %10.1f M %14.1f %12s  %s\n", $1, $2, $3, $4, seconds($7),
		$10, $11 / 1e6, $12, bytes($13), $14
	next
}
$1 ~ /^hypercube/ && substr($1, 11) % 4 { next }
{
	printf "| `%s` | %s | %s | %s | %.1f | %.0f | %s | %s |\n", $1, grouped($2), grouped($4), seconds($7),
		$10, $12, bytes($13), $14
}

function curve() {
	return $1 ~ /^star/ ? "star (paper)" : "hypercube (doubling)"
}

# Networks of a family stand in the order of their size.
function note_level(    family) {
	family = $1
	sub(/:.*/, "", family)
	if (!(family in levels)) family_of[++families] = family
	if (!((family, $14) in last)) levels[family] = levels[family] " " $14
	last[family, $14] = $2
}

function print_levels(    i, k, n, level, text) {
	for (i = 1; i <= families; i++) {
		n = split(levels[family_of[i]], level, " ")
		text = text (i > 1 ? " " : "") "Working set of the " family_of[i] ":"
		for (k = 1; k <= n; k++)
			text = text (k > 1 ? ", " : " ") level[k] " up to " grouped(last[family_of[i], level[k]]) " nodes"
		text = text "."
	}
	print text
}

function text_head() {
	printf "%-13s %11s %6s %15s %9s %14s %12s %14s %12s  %s\n", "network", "nodes", "rounds", "messages",
		"time", "ns per message", "messages/s", "bytes per node", "working set", "fits"
}

function page_head() {
	print "| network | nodes | messages | time | ns per message | bytes per node | working set | fits |"
	print "|---|---|---|---|---|---|---|---|"
}

function bytes(n) {
	return n < 2 ^ 20 ? sprintf("%.1f KiB", n / 2 ^ 10) : \
		n < 2 ^ 30 ? sprintf("%.1f MiB", n / 2 ^ 20) : sprintf("%.2f GiB", n / 2 ^ 30)
}

function seconds(s) {
	return s < 1e-3 ? sprintf("%.1f us", s * 1e6) : s < 1 ? sprintf("%.2f ms", s * 1e3) : sprintf("%.2f s", s)
}

# 1,048,576
function grouped(n,    text) {
	for (n = sprintf("%.0f", n); length(n) > 3; n = substr(n, 1, length(n) - 3))
		text = "," substr(n, length(n) - 2) text
	return n text
}
