#!/bin/sh
# lockstep draw FIGURE: the named figures of the sources, which draw and reproduce share.
# variants: release checked asan chaos
. "$(dirname "$0")/support/cli"

run draw --list
sed -n '/^figures$/,$s/^  \([a-z0-9.]*\)  *\(.*\)/\1 \2/p' out >figures
check "at least 20 figures" [ "$(wc -l <figures)" -ge 20 ]
while read -r name title; do
	run draw "$name" figure.svg figure.tex figure.html figure.dot
	check "$name is drawn in four formats" [ $code -eq 0 -a -s figure.svg -a -s figure.tex -a -s figure.html -a -s figure.dot ]
	check "$name has its title" grep -qF ">$title</text>" figure.svg
	run reproduce "$name" --quiet
	check "reproduce knows $name" [ $code -eq 0 ]
done <figures

# ---- Arrows keep clear of the nodes between their ends; all panels have the same coordinates

cat >clear.awk <<'AWK'
function number(key) { match($0, key "=\"[0-9.-]*"); return substr($0, RSTART + length(key) + 2, RLENGTH - length(key) - 2) }
/<g class="node/ { x[number("data-node")] = number("cx"); y[number("data-node")] = number("cy") }
/<g class="(message|exchange)/ {
	n++
	arrows++
	src[n] = number("data-src"); dst[n] = number("data-dst")
	match($0, /class="shaft" d="[^"]*/)
	points = split(substr($0, RSTART + 17, RLENGTH - 17), p, /[ ,MQL]+/)
	if (/class="shaft" d="[^"Q]*L[^"Q]*L/) { # corners: each piece is a straight curve
		for (j = 2; j + 3 <= points; j += 2) {
			src[n] = number("data-src"); dst[n] = number("data-dst")
			at[n, 2] = p[j]; at[n, 3] = p[j + 1]
			at[n, 6] = p[j + 2]; at[n, 7] = p[j + 3]
			at[n, 4] = (at[n, 2] + at[n, 6]) / 2; at[n, 5] = (at[n, 3] + at[n, 7]) / 2
			n++
		}
		n--
		next
	}
	for (i = 2; i <= 5; i++) at[n, i] = p[i]
	for (i = 1; i <= 2; i++) at[n, i + 5] = p[points - 2 + i]
}
function curve(k, i, t) { return (1 - t) * (1 - t) * at[k, i] + 2 * t * (1 - t) * at[k, i + 2] + t * t * at[k, i + 4] }
END {
	for (k = 1; k <= n; k++)
		for (v in x)
			for (i = 0; i <= 20 && v != src[k] && v != dst[k]; i++)
				if ((curve(k, 2, i / 20) - x[v]) ^ 2 + (curve(k, 3, i / 20) - y[v]) ^ 2 < 17 ^ 2) {
					print src[k] " to " dst[k] " covers node " v
					exit 1
				}
	exit arrows != want
}
AWK
while read -r arrows arguments; do
	run draw $arguments clear.svg
	check "arrows of $arguments keep clear of nodes" sh -c "awk -v want=$arrows -f clear.awk clear.svg >out"
done <<'TABLE'
44 figure4.21
44 figure4.21 --theme mono
7 figure4.7
7 figure4.7 -r 5
16 alltoall -t tree:8 -a ecube --mode routed --step 1-4
TABLE

# ---- A caption breaks after a semicolon, not after a number, and the picture stands in its middle

run draw figure4.12 caption.svg
check "lines of a caption end before words" sh -c '! grep -E "class=\"caption[^>]*>[^<]* [0-9]+</text>" caption.svg'
check "or after a semicolon" grep -q '>[^<]*bound 3 rounds;</text>' caption.svg
run draw figure4.3 middle.svg
check "as much room left as right" awk '
	/<svg / { match($0, /width="[0-9.]*/); width = substr($0, RSTART + 7, RLENGTH - 7) }
	/class="drawing"/ { match($0, /translate\([0-9.-]*/); left = substr($0, RSTART + 10, RLENGTH - 10) }
	/class="node/ { match($0, /cx="[0-9.-]*/); x = substr($0, RSTART + 4, RLENGTH - 4); if (x > most) most = x }
	END { d = left - (width - left - most); exit !(width > 500 && d * d < 100) }' middle.svg

# ---- Panels: wide ones share the page with fewer others; --columns K share its width

run draw allgather -t linear:6 wide.svg
check "panels of a linear array have the full size" [ "$(grep -c 'class="panel".*scale(0.85)' wide.svg)" -eq 5 ]
run draw figure4.21 --columns 5 narrow.svg
check "five panels are as wide as the page" [ "$(sed -n '1s/.*width="\([0-9]*\).*/\1/p' narrow.svg)" -le 980 ]

# ---- Loads: the links of a node together where degrees differ, else each direction; equal columns

run draw alltoall -t mesh:4x4 -a ring --mode routed --view load load.svg
grep -o '>[0-9]* to [0-9]*<' load.svg | tr -d '<>' >rows
check "rows of a mesh by node" sh -c 'sort -s -n -k 1,1 rows | cmp -s - rows && [ "$(wc -l <rows)" -eq 48 ]'
sed -n 's/.* y="\([^"]*\)"[^>]*>[0-9]* to [0-9]*<.*/\1/p' load.svg | sort -u >heights
check "24 rows beside 24" [ "$(wc -l <heights)" -eq 24 ]
run draw figure4.12 load.svg
check "rows of a ring by direction" [ "$(grep -o '>[0-9]* to [0-9]*<' load.svg | head -n 8 | tail -n 1)" = '>7 to 0<' ]

# ---- Options of the command line follow those of the figure

run draw figure4.2 figure.svg
cp figure.svg plain.svg
run draw --theme mono figure4.2 -r 3 -t ring:16 figure.svg
check "another root and ring" [ "$(grep -c 'class="message' figure.svg)" -eq 15 ]
check "root 3" grep -q 'class="node root" data-node="3"' figure.svg
run draw broadcast -t ring:8 -a binomial --mode routed --title 'Figure 4.2: broadcast on an eight-node ring' x.svg
check "as without the name" sh -c 'sed /metadata/d plain.svg >a; sed /metadata/d x.svg | cmp -s - a'
check "a picture of another plan has its own title" grep -q '>broadcast on ring:16, root 3</text>' figure.svg
run draw figure4.2 --title Mine figure.svg
check "another title" grep -q '>Mine</text>' figure.svg
run draw figure4.11 cube.svg cube.tex cube.html cube.dot
check "several files; an option of the figure suits no DOT" [ $code -eq 0 -a -s cube.dot ]
run draw figure4.2 --view panels --step 2 figure.svg
check "another view" [ "$(grep -c 'class="message' figure.svg)" -eq 2 ]
run draw section2 figure.svg
check "a network" [ "$(grep -c 'class="link' figure.svg)" -ge 36 ]
run draw figure4.6
check "SVG on a pipe" sh -c 'head -n 1 out | grep -q "^<svg "'
run draw figure4.6 --format text
check "the text picture" grep -q '^round 1 ' out
run reproduce figure4.24 --json
check "a figure selects the item that checks it" grep -q '"shift-cube/' out

refusals <<'TABLE'
2|draw figure4.99|no figure 'figure4.99'; 'lockstep draw --list' shows all figures$
2|draw figur3 x.svg|no operation or figure 'figur3'; did you mean 'figure3'
2|draw xyzzy -t ring:8 x.svg|no operation or figure 'xyzzy'; 'lockstep list operations' and 'lockstep draw --list' show all
2|draw broadcst -t ring:8 x.svg|no operation or figure 'broadcst'; did you mean 'broadcast'
2|draw figure4.2 --view panel x.svg|no view 'panel'; did you mean 'panels'
2|draw figure4.2 --view panels x.dot|--view has no effect in dot
4|draw figure4.11 -t linear:8 x.svg|doubling
2|run figure4.2 -t ring:8|no operation 'figure4.2'
2|reproduce figure4.99|no document or item 'figure4.99'; did you mean 'figure4.9'
TABLE
finish
