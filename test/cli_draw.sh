#!/bin/sh
# lockstep draw: formats, files, options, refusals.
# variants: release checked asan chaos
. "$(dirname "$0")/support/cli"

# ---- One plan, several files

run draw broadcast -t hypercube:3 cube.svg cube.tex cube.dot
check "three files" [ $code -eq 0 -a -s cube.svg -a -s cube.tex -a -s cube.dot -a ! -s out ]
check "SVG has the messages" [ "$(grep -c 'class="message' cube.svg)" -eq 7 ]
check "TikZ has the messages" [ "$(grep -c '% round [1-3]: [0-7] -> [0-7], words 1$' cube.tex)" -eq 7 ]
check "DOT has the messages" [ "$(grep -c ' -> .*style=dashed' cube.dot)" -eq 7 ]
check "DOT has the links" [ "$(grep -c ' -> .*dir=none' cube.dot)" -eq 12 ]
check "the files name the command" sh -c 'grep -lF "draw broadcast -t hypercube:3 cube.svg cube.tex cube.dot" cube.svg cube.tex cube.dot | wc -l | grep -qx 3'
cp cube.svg first.svg
run draw broadcast -t hypercube:3 cube.svg cube.tex cube.dot
check "the same bytes again" cmp cube.svg first.svg

run draw allgather -t hypercube:2 --step 2 exchanges.tex
check "an exchange is one arrow for both messages" [ "$(grep -c '% round 2: [0-3] <-> [0-3], words 2 and 2$' exchanges.tex)" -eq 2 ]

# The command in a picture can be pasted into a shell.
run draw broadcast -t ring:4 --title "it's" --caption 'a "b" & <c>  $d `e` \f *; ' --labels rank word.svg word.tex
cp word.svg first.svg && cp word.tex first.tex && rm word.*
sed -n 's/^<metadata>\(.*\)<.metadata>$/\1/p' first.svg |
	sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' >command
PATH=$(dirname "$LOCKSTEP"):$PATH sh ./command >out 2>err
check "the command of an SVG makes it again" sh -c 'cmp first.svg word.svg && cmp first.tex word.tex'
sed -n '1s/^% //p' first.tex >same
check "the command of TikZ is the same" cmp command same

# ---- Plans that break a law: drawn, with the violation

while IFS='|' read -r rows law node messages; do
	echo "$rows" | tr ' ' '\n' >wrong.csv
	run draw broadcast -t hypercube:2 --plan wrong.csv --values blocks wrong.svg wrong.tex wrong.html wrong.dot
	check "$rows: exit 1 and one line" sh -c '[ '$code' -eq 1 -a "$(wc -l <err)" -eq 1 ] && grep -qF "'"$law"'" err'
	check "$rows: the caption" grep -qF "Wrong: $law" wrong.svg
	check "$rows: the node" grep -Eq "class=\"node (root )?broken\" data-node=\"$node\"" wrong.svg
	check "$rows: no other node" [ "$(grep -Eo 'class="node (root )?broken" data-node="[0-9]+"' wrong.svg | sed 's/.* data/data/' | sort -u)" = "data-node=\"$node\"" ]
	check "$rows: $messages messages" [ "$(grep -c 'class="message r[0-9] broken"' wrong.svg)" -eq "$messages" ]
	check "$rows: TikZ" [ "$(grep -c 'draw\[message.*,broken' wrong.tex)" -eq "$messages" ]
	check "$rows: TikZ defines it" grep -q 'definecolor{wrong}' wrong.tex
	check "$rows: the page" grep -qF "Wrong: $law" wrong.html
	check "$rows: the node of the page" grep -Eq "<g class=\"node (root )?broken\" data-node=\"$node\"" wrong.html
	check "$rows: DOT says what" grep -qF "label=\"$law" wrong.dot
	check "$rows: DOT" [ "$(grep -c 'penwidth=4' wrong.dot)" -gt "$messages" ]
	run draw broadcast -t hypercube:2 --plan wrong.csv --format text
	check "$rows: exit 1 of the text, and one line" sh -c '[ '$code' -eq 1 -a "$(wc -l <err)" -eq 1 ]'
done <<'TABLE'
1,0,1 1,1,3 2,0,2|law 5 (result): node 1|1|1
1,0,1 2,1,3 2,0,2 2,0,1|law 1 (port): node 0|0|2
1,0,1 2,0,2|law 5 (result): node 3|3|0
1,0,3 2,0,1|law 3 (link): node 0|0|1
1,0,1 1,0,2 1,0,1 1,0,2 1,0,1|law 1 (port): node 0|0|5
TABLE
run draw broadcast -t hypercube:2 right.svg
check "nothing is red in a right plan" sh -c '! grep -q broken right.svg'

# ---- Values: those of the operator, element by element

while IFS='|' read -r arguments texts; do
	run draw $arguments --values data --view table -
	for text in $texts; do
		check "$text in draw $arguments" grep -qF ">[$text]<" out
	done
done <<'TABLE'
broadcast -t hypercube:2 -a scatter-allgather -m 6|1,2 3,4 5 6
reduce -t hypercube:2 -o max|4
reduce -t hypercube:2 -o prod|24
reduce -t hypercube:2 -d int64 -o bxor|4
allreduce -t hypercube:2 -m 2|10,14
alltoall -t complete:4 -a pairwise|1,3,4,4
allreduce -t ring:4 -a ring|10
TABLE
run draw barrier -t ring:4 --values data --view table -
check "a barrier has no values" sh -c '! grep -q ">\[[0-9]" out'

run draw broadcast -t hypercube:2 -m 0 --values data none.svg
run draw broadcast -t hypercube:2 -m 0 --values both blocks.svg
check "without elements there are no values" sh -c '! grep -q "contents mid" none.svg && ! grep -q ">[^<]*\[[0-9]" blocks.svg && grep -q "contents mid" blocks.svg'
run draw allgather -t hypercube:2 -m 0 empty.svg empty.tex empty.html
check "without elements there are no words" sh -c 'grep -q "8 messages, 0 words;" empty.svg && ! grep -q "words=\"[1-9]" empty.svg && grep -q ", words 0 and 0$" empty.tex && ! grep -q ", words [1-9]" empty.tex && grep -q " 0 words;" empty.html'
run draw allgather -t hypercube:2 --quiet
check "--quiet prints no picture" [ $code -eq 0 -a ! -s out ]
run draw broadcast -t ring:4 --columns 2 columns.svg
check "the default view takes the options" grep -q 'class="panel"' columns.svg
printf '1,0,1\n2,1,2\n2,0,3\n' >student.csv
run draw broadcast -t ring:4 --mode routed --plan student.csv student.svg
check "the caption names the file of a schedule" grep -q '>student.csv</text>' student.svg

# ---- Standard output

run draw broadcast -t ring:4
check "SVG on a pipe" sh -c 'head -n 1 out | grep -q "^<svg "'
cp out pipe.svg
run draw broadcast -t ring:4 -
check "- is standard output" sh -c 'head -n 1 out | grep -q "^<svg "'
run draw broadcast -t ring:4 - --format tikz
check "- in another format" grep -q 'begin{tikzpicture}' out
run draw broadcast -t ring:4 --format dot
check "DOT on standard output" grep -q '^digraph "ring:4" {$' out
run draw -t ring:4 --format dot
check "a network is an undirected graph" grep -q '^graph "ring:4" {$' out
while read -r labels expected; do
	run draw -t hypercube:2 --labels "$labels" --format dot
	check "DOT with --labels $labels" grep -qF "2 [label=$expected, pos" out
done <<'TABLE'
both "2 10"
rank "2"
name "10"
none ""
TABLE
run draw -t ring:3 --labels both --format dot
check "DOT with a rank that is the name" grep -qF '2 [label="2", pos' out
run draw -t tree:4 --format dot
check "DOT with the name of a switch" grep -qF '4 [label="0-1", pos' out
run list links -t ring:4 --format dot
cp out links
run draw -t ring:4 --format dot
check "as list links writes it" sh -c 'grep -v comment= out | cmp - links'
run draw broadcast -t ring:4 --format text
check "the text picture" grep -q '^round 1 ' out
run draw --list
check "lists of views and formats" sh -c 'grep -q "^  panels " out && grep -q "^  tikz .*; FILE.tex$" out'
check "layouts, as the refusal of an unknown one names them" sh -c 'grep -q "^  ring:8 *two-rows, circle, row, forces$" out && grep -q "^  star:4\*star:3 copies, " out'
check "limits are no numbers alone" sh -c 'grep -q "; limit: 16 panels" out && grep -q "; limit: units of grids" out && ! grep -q "at most" out'
sed '1,/^formats/d; /^figures/,$d; s/^  \([a-z]*\)  *[^ ].*/\1/' out | sort >formats
run draw -t ring:4 --format nothing
sed 's/.*expected //; s/, /\n/g; s/ or /\n/' err | sort >expected
check "every format is in the list, with a text" cmp formats expected
run help draw
check "the help names the default format" sh -c 'tr -s " \n" " " <out | grep -qF "tikz or dot (text on a terminal, else svg)"'
check "the help names HTML" grep -q 'a trace .*: .*HTML' out

# ---- TikZ

run draw broadcast -t hypercube:3 part.tex
check "only the picture" sh -c '! grep -q documentclass part.tex && grep -q "needs .usepackage{tikz} and .usetikzlibrary{arrows.meta,backgrounds}" part.tex'
run draw broadcast -t hypercube:3 --standalone alone.tex
check "a whole document" sh -c 'grep -q "^.documentclass{standalone}" alone.tex && tail -n 1 alone.tex | grep -q "end{document}"'
run draw broadcast -t hypercube:3 --standalone --beamer slides.tex
check "three slides" sh -c 'grep -o "only<[0-9]*>" slides.tex | sort -u | tr -d "\n" | grep -qx "only<1>only<2>only<3>"'
run draw allreduce -t ring:5 --view panels --theme mono --width 120 --standalone --caption 'a_b #%&^~{}$\<>|"' panels.tex
check "special characters" grep -qF 'a\_b \#\%\&\textasciicircum{}\textasciitilde{}\{\}\$\textbackslash{}\textless{}\textgreater{}\textbar{}'"''" panels.tex
run draw -t tree:8 --theme dark --standalone switches.tex
check "switches" [ "$(grep -c '^.node.switch' switches.tex)" -eq 7 ]
run draw broadcast -t ring:4 --view matrix matrix.tex
check "cells are tinted, with their text in the color" [ "$(grep -c 'fill=color\([12]\)!14!paper,draw=color\1\].*text=color\1text\] {[12]};' matrix.tex)" -eq 3 ]
# Too many nodes for a pixel each.  On a ring a pixel of the diagonal has 2 * 7 links, both beside it 1 each.
run draw -t ring:8192 --view matrix coarse.svg
check "1024 pixels of 8 to 15 links" [ "$(grep 'class="area" data-count="8"' coarse.svg | tr -cd Mm | wc -c)" -eq 1024 ]
check "2048 pixels of 1 link" [ "$(grep 'class="area" data-count="1"' coarse.svg | tr -cd Mm | wc -c)" -eq 2048 ]
check "the caption names the nodes of a pixel" grep -q 'a pixel is 8 x 8 nodes' coarse.svg
run draw alltoall -t ring:8 --mode routed --view load --theme dark loads.tex
check "text on a shade is black or white" [ "$(grep -c 'fill={rgb.*,text=\(black\|white\)\]' loads.tex)" -eq "$(grep -c 'fill={rgb' loads.tex)" ]
# latex CLASS NAME: LaTeX takes NAME.tex, if it and the class are there.  One variant is enough.
latex() {
	[ "${LS_VARIANT:-release}" = release ] || return
	if command -v pdflatex >/dev/null && kpsewhich "$1.cls" tikz.sty >/dev/null; then
		check "LaTeX takes $2.tex" sh -c "pdflatex -interaction=batchmode -halt-on-error $2.tex >out"
	else
		skipped=$((skipped + 1))
	fi
}
{
	printf '%s\n' '\documentclass{article}' '\usepackage{tikz}' '\usetikzlibrary{arrows.meta,backgrounds}' '\begin{document}'
	for name in alone panels switches matrix loads; do
		sed -n '/^.begin{tikzpicture}/,/^.end{tikzpicture}/p' $name.tex
	done
	printf '%s\n' '\end{document}'
} >pictures.tex
latex article pictures
latex standalone alone
latex beamer slides
[ ! -s slides.log ] || check "a page for each slide" grep -q '(3 pages' slides.log

# ---- DOT

if command -v dot >/dev/null; then
	for name in cube pipe; do
		run draw broadcast -t hypercube:3 $name.dot
		check "graphviz reads $name.dot" sh -c "dot -Tsvg $name.dot -o dot.svg 2>err && [ ! -s err ]"
	done
	run draw -t ring:6 ring.dot
	neato -n -Tplain ring.dot >plain
	check "neato keeps the places" sh -c 'grep -c "^node" plain | grep -qx 6'
	x=$(sed -n 's/.*1 .label="1", pos="\([-0-9.]*\),.*/\1/p' ring.dot) x0=$(sed -n 's/.*0 .label="0", pos="\([-0-9.]*\),.*/\1/p' ring.dot)
	check "as DOT has them" awk -v want="$x" -v from="$x0" '
		$1 == "node" { x[$2] = $3 }
		END { d = (x[1] - x[0]) * 72 - (want - from); exit !(d < 0.5 && d > -0.5) }' plain
else
	skipped=$((skipped + 4))
fi

# ---- PNG and PDF

if command -v rsvg-convert >/dev/null; then
	run draw broadcast -t ring:4 ring.png ring.pdf
	check "PNG and PDF" sh -c 'head -c 4 ring.png | grep -q PNG && head -c 4 ring.pdf | grep -q %PDF'
	run draw broadcast -t ring:4 --width 127 wide.png
	check "a PNG has 192 pixels per inch" [ "$(od -An -tu1 -j18 -N2 wide.png | awk '{ print 256 * $1 + $2 }')" -eq 960 ]
else
	skipped=$((skipped + 2))
fi
PATH=/nonexistent "$LOCKSTEP" draw broadcast -t ring:4 none.png >out 2>err
check "PNG without rsvg-convert exits 4" [ $? -eq 4 ]
check "and says so" grep -qx 'lockstep: PNG needs rsvg-convert; install it or write FILE.svg' err
check "and leaves no file" [ ! -e none.png ]

# ---- Refusals: one line each

refusals <<'TABLE'
2|draw|no topology; try -t ring:8
4|draw reduce -t hypercube:2 --values data -o maxloc x.svg|values of the operator maxloc cannot be drawn; try the contributions
2|draw ring:8 x.svg|no operation or figure 'ring:8'; for a network try -t ring:8$
2|draw -t ring:8 --values data x.svg|--values shows what nodes hold in the steps of an operation; name an operation$
4|draw -t ring:8 --view panels x.svg|the view panels draws the steps of an operation, and none is named; try --view network$
2|check broadcast -t ring:4 own.csv|unexpected operand 'own.csv'; try --plan own.csv$
2|draw broadcast -t hypercube:3 --view panel x.svg|no view 'panel'; did you mean 'panels'
2|draw broadcast -t hypercube:3 --view xyzzy x.svg|no view 'xyzzy'; expected one of: network, all
2|draw broadcast -t hypercube:3 --step 9 x.svg|no step 9; expected a step from 1 to 3
2|draw broadcast -t hypercube:3 --step 2-4 x.svg|no step 4; expected a step from 1 to 3
2|draw broadcast -t hypercube:3 --step 0 x.svg|'0' is not a step; expected K or A-B from 1 on
2|draw broadcast -t hypercube:3 --step 3-2 x.svg|'3-2' is not a step
2|draw -t hypercube:3 --step 1 x.svg|no step 1: there are no steps; try without a step
2|draw broadcast -t hypercube:3 --columns 0 x.svg|'0' is not a number of columns; expected 1
2|draw broadcast -t hypercube:3 --theme blue x.svg|'blue'
2|draw broadcast -t hypercube:3 --width 0 x.svg|'0' is not a width; expected mm
2|draw broadcast -t hypercube:3 x.gif|unknown file extension '.gif'; expected .svg, .html, .png, .pdf, .tex or .dot
4|draw -t ring:8 --format text|a network has no steps to write as text; try --format svg
4|draw -t ring:8 - --format text|a network has no steps to write as text; try --format svg
4|draw allreduce -t ring:64 --view all x.svg|the view all is limited to 64 messages
2|draw broadcast -t ring:4 --standalone x.svg|--standalone has no effect in svg; try FILE.tex, or without --standalone
2|draw broadcast -t ring:4 --standalone|--standalone has no effect in svg; try FILE.tex
2|draw broadcast -t ring:4 --beamer x.svg x.dot|--beamer has no effect in dot; try FILE.tex
2|draw broadcast -t ring:4 --beamer - --format dot|--beamer has no effect in dot; try FILE.tex
2|draw broadcast -t ring:4 --width 90 x.dot|--width has no effect in dot; try FILE.svg, or without --width
2|draw broadcast -t ring:4 --title x x.dot|--title has no effect in dot; try FILE.svg, or without --title
2|draw broadcast -t ring:4 --title x --format text|--title has no effect in text; try FILE.svg
2|draw broadcast -t ring:4 --theme dark --format text|--theme has no effect in text; try FILE.svg
2|draw broadcast -t ring:4 --format dot x.svg|the extension of x.svg selects svg, but an option selects dot
2|draw broadcast -t ring:4 --focus 3-9 x.svg|no rank 9 in ring:4; expected ranks from 0 to 3
2|draw broadcast -t ring:4 --focus 1 --format text|--focus has no effect in text; try FILE.svg, or without --focus
2|draw allgather -t hypercube:3 --view matrix --values blocks x.svg|--values has no effect in the view matrix; try --view all, panels, timeline, exemplar, step or table$
2|draw allgather -t hypercube:3 --view timeline --columns 2 x.svg|--columns has no effect in the view timeline; try --view panels or exemplar$
2|draw allgather -t hypercube:3 --view table --layout circle x.svg|--layout has no effect in the view table; try --view network, all, panels, exemplar, step or load$
2|draw broadcast -t hypercube:3 --view matrix --labels rank x.svg|--labels has no effect in the view matrix; try --view network, all, panels, timeline, exemplar, step, load or table$
2|draw -t ring:300 --labels rank x.svg|--labels has no effect in the view matrix; try without it$
2|draw broadcast -t ring:4 --columns 2 x.html|--columns has no effect in html; try FILE.svg, or without --columns$
2|draw allgather -t hypercube:3 --x-axis time x.svg|the messages have no times; record them
4|draw allreduce -t hypercube:20 x.svg|more than 8388608 messages are too many for a picture; try --step 1, or a smaller network$
4|draw broadcast -t ring:100000 x.svg|100000 nodes in 50000 steps are too many for a picture; try --step 1, or a smaller network$
4|draw allreduce -t mesh:1000x1000 --step 3-900 x.svg|1000000 nodes in 898 steps are too many for a picture; try --step 3, or a smaller network$
4|draw allreduce -t star:5 --focus 1,2 --view exemplar x.svg|the view exemplar draws one unit, and the focus is none; try --view panels
2|draw broadcast -t ring:4 --layout nothing x.svg|ring has no layout .nothing.; expected two-rows, circle, row, forces, or a file of positions
2|draw broadcast -t ring:4 --format nothing|nothing.*expected
2|draw broadcast -t ring:4 /nonexistent/x.svg|cannot write /nonexistent/x.svg: No such file
2|steps broadcast -t ring:4 --standalone x.tex|steps takes no --standalone; only draw takes it
TABLE
check "no file is left" sh -c 'ls | grep -q "^x\." && exit 1 || exit 0'
mkfifo places && printf '0 0 0\n1 1 0\n2 1 1\n3 0 1\n' >places &
sleep 0.1
run draw -t ring:4 --layout places pipe.svg
check "places from a pipe" [ $code -eq 0 -a -s pipe.svg ]
run draw broadcast -t ring:4 --standalone --beamer x.svg x.tex
check "one file that takes the option is enough" [ $code -eq 0 ]
run draw broadcast -t ring:4 --columns 1 --view panels columns.html
check "a page with a view has columns" [ $code -eq 0 ]
run draw -t linear:2 one.svg
check "one link is no links" grep -q '>2 nodes, degree 1, diameter 1, 1 link<' one.svg
if [ -w /dev/full ]; then
	"$LOCKSTEP" draw broadcast -t ring:4 --format tikz >/dev/full 2>err
	check "a full disk exits 2" [ $? -eq 2 ]
fi
run draw broadcast -t ring:100000 --step 7-9 steps.svg
check "some steps of a large plan" grep -q '>hop, 1 port: steps 7 to 9 of 50000, 6 of 99999 messages, 6 words' steps.svg
# Messages that are not drawn are counted by the formulas of the algorithm.
while read -r arguments; do
	"$LOCKSTEP" steps $arguments rows.csv
	run draw $arguments --step 2 second.svg
	check "draw $arguments --step 2 counts all messages" grep -q ": step 2 of [0-9]*, [0-9]* of $(grep -c '^[0-9]' rows.csv) messages" second.svg
done <<'TABLE'
allgather -t ring:8 -a ring
alltoall -t hypercube:3 -a ecube --mode routed
allreduce -t star:4 -a substar
allreduce -t torus:4x4 -a hypercube:4/doubling --mode routed
broadcast -t hypercube:3 -a scatter-allgather -m 3
scan -t tree:8
barrier -t ring:8
broadcast -t ring:4 --plan student.csv
TABLE
# The caption cites the source of the algorithm for this operation, as `steps` does.
while read -r arguments; do
	"$LOCKSTEP" steps $arguments >steps.txt
	source=$(sed -n 's/^algorithm  [^(]*(\(.*\)).*/\1/p' steps.txt)
	run draw $arguments caption.svg
	check "the caption of draw $arguments cites $source" grep -qF "($source)" caption.svg
done <<'TABLE'
allgather -t hypercube:3
scan -t hypercube:3
broadcast -t hypercube:3
reduce-scatter -t hypercube:3
barrier -t ring:4
TABLE
run draw barrier -t ring:4 barrier.svg
check "a barrier carries no words" sh -c '! grep -q "data-words=\"[1-9]" barrier.svg'

# Arrows over the same links run beside each other: no two of them have a piece in common.
for arguments in 'allreduce -t tree:8' 'allreduce -t tree:16 --step 4' 'alltoall -t tree:8 --step 4'; do
	run draw $arguments lanes.svg
	sed -n 's/.*class="shaft" d="M\([^"]*\)".*/\1/p' lanes.svg |
		awk -F ' L' '{ for (i = 1; i < NF; i++) print $i, $(i + 1) }' | sort | uniq -d >common
	check "no arrows of draw $arguments run on each other" [ -s lanes.svg -a ! -s common ]
done

run draw -t ring:4 - none
check "nothing is drawn before a name without an ending" [ $code -eq 2 -a ! -s out ]
finish
