#!/bin/sh
# lockstep draw --trace: pictures of real runs, of the tool and of any program; broken traces.
. "$(dirname "$0")/support/cli"

# The rows of a trace with times, and those of a picture, as "round src dst sent received".
rows_of() { sed 1,2d "$1" | awk -F, '{ print $1, $2, $3, $5, $6 }' | sort; }
drawn_in() {
	sed -n 's/.*class="[^"]*message[^"]*" data-round="\([0-9]*\)" data-src="\([0-9]*\)" data-dst="\([0-9]*\)" data-words="[0-9]*" data-begin-ns="\([0-9]*\)" data-end-ns="\([0-9]*\)".*/\1 \2 \3 \4 \5/p' "$1" | sort
}
# The waits, as "round src dst begin end".
waits_of() { sed 1,2d "$1" | awk -F, '$7 > 0 { print $1, $2, $3, $6 - $7, $6 }' | sort; }
waits_in() {
	sed -n 's/.*class="cell wait" data-round="\([0-9]*\)" data-src="\([0-9]*\)" data-node="\([0-9]*\)" data-begin-ns="\([0-9]*\)" data-end-ns="\([0-9]*\)".*/\1 \2 \3 \4 \5/p' "$1" | sort
}
equals_trace() { # TRACE PICTURE
	rows_of "$1" >rows && drawn_in "$2" | cmp -s - rows && waits_of "$1" >waits && waits_in "$2" | cmp -s - waits
}

# ---- Runs of the tool

while read -r arguments; do
	for nodes in threads fibers; do
		run run $arguments --nodes $nodes --trace run.csv --times
		check "success of $arguments" [ $code -eq 0 ]
		for view in timeline gantt; do
			run draw --trace run.csv --view $view run.svg
			check "$view of $arguments, $nodes (was $code)" [ $code -eq 0 ]
			check "$view of $arguments, $nodes, is the trace" equals_trace run.csv run.svg
		done
		cores=$(sed -n '1s/.* cores=//p' run.csv | tr , '\n' | sort -u | wc -l)
		check "$cores cores of $arguments" [ "$(grep -c 'class="area work"' run.svg)" -eq "$cores" ]
	done
done <<'TABLE'
allreduce -t hypercube:4
allreduce -t ring:8 -m 3000 --rounds free
alltoall -t torus:3x3 --mode routed
broadcast -t star:4 --rounds free
allgather -t ring:5 --ports 2
TABLE
check "the title names the operation" grep -q '<title id="title">allgather on ring:5</title>' run.svg
run run allreduce -t ring:4 --bind none --trace run.csv --times
run draw --trace run.csv --view gantt run.svg
check "no cores without a binding" sh -c '! grep -q "core 0" run.svg'

# ---- Any program: it names no operation

LOCKSTEP_TRACE=own.csv LOCKSTEP_TRACE_TIMES=1 "$LS_BUILD/demo/hello" >out 2>&1
run draw --trace own.csv own.svg
check "the trace of a program (was $code)" [ $code -eq 0 ]
check "is the trace" equals_trace own.csv own.svg
cp own.svg timeline.svg
run draw --trace own.csv --view timeline own.svg
check "the timeline is the default" sh -c 'sed "/<metadata>/d" own.svg >one; sed "/<metadata>/d" timeline.svg | cmp -s - one'
run draw --trace - own.svg <own.csv
check "from standard input" [ $code -eq 0 ]
sed '2,$s/^\(\([^,]*,\)\{3\}[^,]*\),.*/\1/' own.csv >plain.csv
run draw --trace plain.csv plain.svg
check "a trace without times (was $code)" [ $code -eq 0 ]
check "has no times" sh -c '! grep -q data-begin-ns plain.svg'
run draw --trace own.csv --x-axis rounds rounds.svg
check "times can be left out" sh -c 'sed "/<metadata>/d" plain.svg >one; sed "/<metadata>/d" rounds.svg | cmp -s - one'
run draw --trace own.csv --view timeline --x-axis time --step 2 step.svg
check "one step" sh -c 'grep -q "data-round=\"2\".*data-begin-ns" step.svg && ! grep -q "data-round=\"1\".*data-begin-ns" step.svg'
run draw --trace own.csv --view gantt own.html own.tex own.dot
check "other formats (was $code)" [ $code -eq 0 ]
check "a static page" sh -c 'grep -q "class=\"cell wait\"" own.html && ! grep -q "<script" own.html'
check "TikZ has the messages" [ "$(grep -c '% round [0-9]*: [0-7] -> [0-7], words [0-9]*, sent at [0-9]* ns, received at [0-9]* ns$' own.tex)" -eq "$(rows_of own.csv | wc -l)" ]
check "bars of messages, and their key, have the whole color in TikZ" sh -c '[ "$(grep -c "^.draw\[cell,message way,fill=color[0-9]*,draw=" own.tex)" -eq "$(grep -c "^.draw\[cell,message way" own.tex)" ] && grep -q "^.draw\[cell,way,fill=color1,draw=" own.tex'
if command -v pdflatex >/dev/null && kpsewhich article.cls tikz.sty >/dev/null; then
	run draw --trace own.csv --view gantt --standalone own.tex
	kpsewhich standalone.cls >out || sed -i 's/^.documentclass{standalone}/\\documentclass{article}/' own.tex
	check "LaTeX takes it" sh -c 'pdflatex -interaction=batchmode -halt-on-error own.tex >out'
else
	skipped=$((skipped + 1))
fi
printf '# topology=ring:4\n1,0,1,1,5,9,4\n1,1,2,1\n1,2,3,1,7,-1,-1\n2,0,1,0,R\n' >mixed.csv
run draw --trace mixed.csv mixed.svg
check "rows with and without times (was $code)" [ $code -eq 0 ]
check "are counted" grep -q '1 not received; 1 without times are not drawn' mixed.svg
printf '# topology=ring:4\nround,src,dst,words,sent_ns,received_ns,waited_ns\n' >empty.csv
run draw --trace empty.csv empty.svg
check "a trace without rows (was $code)" [ $code -eq 0 ]
check "the network is drawn" grep -q '<title id="title">ring:4</title>' empty.svg
printf '2,2,2,3\n' >self.csv
run draw --trace self.csv -t ring:4 --view load self.svg
check "a message to its sender loads no link (was $code)" [ $code -eq 0 -a -s self.svg ]

# ---- Refusals: one line each

cp own.csv cores.csv
sed -i '1s/cores=[0-9,]*/cores=0,0,1/' cores.csv
sed '1s/cores=[0-9,]*/cores=0,0,1,1,x,1,1,1/' own.csv >words.csv
sed '1s/cores=[0-9,]*/cores=0,0,-1,1,1,1,1,1/' own.csv >negative.csv
sed '1s/cores=[0-9,]*/cores=/' own.csv >none.csv
sed '$s/$/,1/' own.csv >column.csv
sed '$s/,[0-9]*,[0-9]*,[0-9]*$/,9,5,0/' own.csv >early.csv
sed '$s/,[0-9]*,[0-9]*,[0-9]*$/,-9,5,0/' own.csv >before.csv
sed '1s/topology=ring:8 //' own.csv >nowhere.csv
"$LOCKSTEP" steps broadcast -t ring:4 b.plan
awk 'BEGIN { print "# topology=ring:2\n"; for (k = 1; k <= 65; k++) printf "%d,0,1,1,%d,%d,0\n", k, k, k }' >long.csv
refusals <<'TABLE'
2|draw --trace nothing.csv x.svg|nothing.csv
2|draw --trace cores.csv x.svg|cores.csv:1: cores= has 3 cores; expected one for each of 8 nodes$
2|draw --trace words.csv x.svg|words.csv:1: 'cores=0,0,1,1,x,1,1,1' is not a list of cores; expected 0,0,1,1$
2|draw --trace negative.csv x.svg|negative.csv:1: 'cores=0,0,-1,1,1,1,1,1' is not a list of cores; expected
2|draw --trace none.csv x.svg|none.csv:1: 'cores=' is not a list of cores; expected
2|draw --trace own.csv -t ring:4 x.svg|rank [4-7] is out of range; expected 0..3$
2|draw --trace column.csv x.svg|has 8 columns; expected round,src,dst or round,src,dst,words, or these and sent_ns,received_ns,waited_ns$
2|draw --trace early.csv x.svg|has impossible times; expected sent_ns <= received_ns
2|draw --trace before.csv x.svg|has impossible times; expected sent_ns <= received_ns
2|draw --trace nowhere.csv x.svg|no topology; try -t ring:8
2|draw --trace b.plan x.svg|b.plan is a plan, not a trace; try --plan b.plan$
2|draw broadcast --trace own.csv x.svg|--trace and broadcast cannot be used together; try one of them$
2|draw --plan b.plan --trace own.csv x.svg|--trace and --plan cannot be used together; try one of them$
2|draw --trace own.csv --values data x.svg|draw --trace takes no --values; try without it$
2|draw --trace own.csv -m 4 x.svg|draw --trace takes no --message-size; try without it$
2|draw --trace own.csv --x-axis hours x.svg|'hours'
2|draw --trace plain.csv --x-axis time x.svg|the messages have no times; record them with LOCKSTEP_TRACE_TIMES=1 or run --times$
2|draw broadcast -t ring:4 --x-axis time x.svg|the messages have no times
4|draw --trace own.csv --format text|draw --trace writes no text; try --format svg, or 'lockstep steps --plan own.csv'$
4|draw --trace plain.csv --view gantt x.svg|the view gantt needs times, which LOCKSTEP_TRACE_TIMES=1 and run --times record; try --view
4|draw --trace own.csv --x-axis rounds --view gantt x.svg|the view gantt needs times, which --x-axis rounds leaves out; try --view
4|draw --trace long.csv --view gantt x.svg|the view gantt is limited to 256 nodes and 64 steps of messages with times, without a focus; try --view matrix$
4|draw --trace own.csv --focus 0-1 --view gantt x.svg|the view gantt takes no focus; try --view
2|draw --trace own.csv --focus 0-1 --x-axis time x.svg|a focus is drawn by rounds; try --x-axis rounds, or no focus$
2|steps broadcast -t ring:4 --x-axis time|steps takes no --x-axis; only draw takes it$
TABLE
check "no file is left" [ ! -e x.svg ]
run draw --trace long.csv --view gantt --step 2-65 long.svg
check "the steps can be chosen (was $code)" [ $code -eq 0 ]
finish
