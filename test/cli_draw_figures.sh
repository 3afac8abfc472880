#!/bin/sh
# lockstep draw FIGURE: the named figures of the sources, which draw and reproduce share.
. "$(dirname "$0")/support/cli"

run draw --list
sed -n '/^figures$/,$s/^  \([a-z0-9.]*\)  *\(.*\)/\1 \2/p' out >figures
check "at least 20 figures" [ "$(wc -l <figures)" -ge 20 ]
while read -r name title; do
	run draw "$name" figure.svg
	check "$name is drawn" [ $code -eq 0 -a -s figure.svg ]
	check "$name has its title" grep -qF ">$title</text>" figure.svg
	run reproduce "$name" --quiet
	check "reproduce knows $name" [ $code -eq 0 ]
done <figures

# ---- Options of the command line follow those of the figure

run draw figure4.2 figure.svg
cp figure.svg plain.svg
run draw --theme mono figure4.2 -r 3 -t ring:16 figure.svg
check "another root and ring" [ "$(grep -c 'class="message' figure.svg)" -eq 15 ]
check "root 3" grep -q 'class="node root" data-node="3"' figure.svg
run draw broadcast -t ring:8 -a binomial --mode routed --title 'Figure 4.2: broadcast on an eight-node ring' x.svg
check "as without the name" sh -c 'sed /metadata/d plain.svg >a; sed /metadata/d x.svg | cmp -s - a'
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
2|draw figure4.99|no operation or figure 'figure4.99'; did you mean 'figure4.9'
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
