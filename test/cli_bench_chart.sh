#!/bin/sh
# Pictures of bench and of CSV files: a series for each variant, a row for each measurement of one size, the
# map of the cores, and one message about what cannot be drawn.  No test depends on a time.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

few='-i 1 --samples 3'

well_formed() { # FILE
	if command -v xmllint >/dev/null; then
		xmllint --noout "$1"
	elif command -v python3 >/dev/null; then
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"
	else
		grep -q '</svg>' "$1"
	fi
}
count() { grep -c -- "$1" "$2"; }
# The names in the legend, one a line.
legend() { sed -n '/<g class="legend"/,/^<\/g>/s/.*<text[^>]*>\([^<]*\)<.*/\1/p' "$1"; }

# ---- bench

run bench allreduce -t complete:2 -m 1:64:x4 -a doubling,ring -e mailboxes,cooperative $few --csv times.svg
check "exit 0 (was $code)" [ $code -eq 0 ]
check "well-formed" well_formed times.svg
cp out times.csv
check "the rows still stand on stdout" [ "$(wc -l <times.csv)" -eq 17 ]
check "a series for each algorithm and engine, and a model for each algorithm" [ "$(legend times.svg | sort | tr '\n' ';')" = \
	'doubling, cooperative;doubling, mailboxes;doubling, model;ring, cooperative;ring, mailboxes;ring, model;' ]
check "six series" [ "$(count '<g class="series"' times.svg)" -eq 6 ]
check "a mark for each row, and one for each entry of the legend" [ "$(count 'class="curve mark' times.svg)" -eq 20 ]
check "a bar for each row" [ "$(count 'class="curve spread' times.svg)" -eq 16 ]
check "the title" grep -q '>allreduce of double, sum, on complete:2</text>' times.svg
check "the command is in the metadata" grep -q '<metadata>.*bench allreduce .* times.svg</metadata>' times.svg

# The CSV of bench gives the same picture; only its command and the values of the model are not in it.
run chart times.csv again.svg
check "chart: exit 0 (was $code)" [ $code -eq 0 -a ! -s out -a ! -s err ]
same() { grep -Ev '<metadata>|class="caption"|<desc|^Model|^Bars' "$1" | sed 's/ height="[0-9]*" viewBox="[^"]*"//'; }
same times.svg >times.lines
same again.svg >again.lines
check "the CSV gives the same picture" cmp times.lines again.lines

run bench allgather -t ring:4 -e mailboxes --rounds free,lockstep --nodes threads,fibers $few one.svg
check "one size: exit 0 (was $code)" [ $code -eq 0 ]
check "one size: well-formed" well_formed one.svg
check "one size: a row for each measurement" [ "$(sed -n '/<g class="axis rows"/,/^<\/g>/p' one.svg | grep -c '<text')" -eq 4 ]
check "one size: its bytes are in the title" grep -q '>allgather of double on ring:4: 8 bytes</text>' one.svg
check "one size: what differs names the row" grep -q '>fibers, lockstep</text>' one.svg
run bench exchange -t complete:2 -m 0:8 $few --quiet zero.svg
check "0 bytes are left out" sh -c '[ $0 -eq 0 ] && grep -q "0 is left out: the axis is logarithmic" zero.svg' $code
run bench barrier -t complete:2 $few --quiet barrier.svg --title Barriers --caption none --width 90 --theme mono
check "a barrier, with the options of pictures" [ $code -eq 0 ]
check "its title, and no caption" sh -c 'grep -q ">Barriers</text>" barrier.svg && ! grep -q "class=\"caption\"" barrier.svg'
check "its width" grep -q 'width="90mm"' barrier.svg

"$LOCKSTEP" steps broadcast -t complete:2 mine.plan >out 2>err
run bench --plan mine.plan -t complete:2 $few --quiet plan.svg
check "a plan without an operation (was $code)" sh -c '[ $0 -eq 0 ] && [ -s plan.svg ]' $code
if command -v rsvg-convert >/dev/null; then
	run bench broadcast -t complete:2 $few a.svg a.png a.pdf
	check "several files" [ $code -eq 0 -a -s a.svg -a -s a.pdf ]
	check "a PNG" sh -c 'head -c 4 a.png | grep -q PNG'
else
	skipped=$((skipped + 1))
fi
if [ "$(nproc)" -ge 2 ]; then
	run bench cores cores.svg
	check "the map of the cores" sh -c '[ $0 -eq 0 ] && grep -q "^# min" out' $code
	check "the map is well-formed" well_formed cores.svg
	check "a cell for each two cores" [ "$(sed -n '/<g class="map"/,/^<\/g>/p' cores.svg | grep -c '<g class="cell')" -eq $(($(nproc) * $(nproc))) ]
fi

# ---- Any table

cat >table.csv <<'TABLE'
# a comment
nodes,family,seconds,low,high,status
10,star,1e-3,1e-3,2e-3,ok
1000,star,5e-3,4e-3,6e-3,ok
10,cube,2e-3,1e-3,3e-3,ok
1000,cube,7e-3,6e-3,8e-3,ok
100000,cube,,,,limit
TABLE
run chart table.csv table.svg --axes nodes,seconds,low,high --series family
check "columns (was $code)" [ $code -eq 0 ]
check "a message about the row that is left out" grep -q '^lockstep: left out: 1 row whose status is not ok; ' err
printf 'operation,bytes,time_ns.median,time_ns.lower_quartile\nscan,8,20,10\nscan,16,30,10\n' >lower.csv
run chart lower.csv lower.svg
check "one quartile makes no bars" [ $code -eq 0 -a -s lower.svg -a ! -s err ]
run chart lower.csv -
sed 's/ - *</ lower.svg</' out >same.svg
check "a chart on standard output is SVG" cmp -s same.svg lower.svg
check "two series" [ "$(legend table.svg | sort | tr '\n' ' ')" = 'cube star ' ]
check "the columns are the labels" sh -c 'grep -q ">nodes</text>" table.svg && grep -q ">time</text>" table.svg'
check "the columns of the bars" grep -q '>Bars: from low to high.<' table.svg
check "four bars" [ "$(count 'class="curve spread' table.svg)" -eq 4 ]
grep -v '^#' table.csv | "$LOCKSTEP" chart - names.svg --axes family,seconds --series nodes --quiet >out 2>err
check "names as rows" [ "$(sed -n '/<g class="axis rows"/,/^<\/g>/p' names.svg | grep -c '<text')" -eq 2 ]

# ---- What cannot be drawn

# A script for sed that spoils the file | pattern of the message
while IFS='|' read -r script pattern; do
	sed "$script" table.csv >bad.csv
	rm -f bad.svg
	run chart bad.csv bad.svg --axes nodes,seconds,low,high --series family --quiet
	check "exit 2 after $script (was $code)" [ $code -eq 2 ]
	check "one message after $script" one_message
	check "message /$pattern/ after $script" grep -Eq -e "$pattern" err
	check "no file after $script" [ ! -e bad.svg ]
done <<'TABLE'
4s/5e-3/fast/|^lockstep: bad.csv:4: seconds is fast; expected a number
4s/5e-3/nan/|bad.csv:4: seconds is nan; expected a number
4s/5e-3//|bad.csv:4: seconds is empty; expected a number
4s/6e-3/x/|bad.csv:4: high is x; expected a number
4s/,ok//|bad.csv:4: 5 cells; expected 6, as in the head
2s/seconds/second/|no column 'seconds'; did you mean 'second'
2s/family/families/|no column 'family'
3,$d|bad.csv has no rows to draw
1,$d|bad.csv has no rows to draw
TABLE

refusals <<'TABLE'
2|chart table.csv x.svg|table.csv:2: no columns operation, bytes, time_ns.median as in the output of 'lockstep bench --csv'; try --axes X,Y
2|chart table.csv x.svg --axes nodes|--axes 'nodes' has 1 column; expected X,Y or X,Y,LOW,HIGH
2|chart table.csv|chart needs a table and a file
2|chart table.csv x.gif --axes nodes,seconds|unknown file extension '.gif'; expected .svg, .png or .pdf
2|chart table.csv x.png --axes nodes,seconds --format svg|the extension of x.png selects png, but an option selects svg
2|chart table.csv - --axes nodes,seconds --format csv|no format 'csv'; expected svg, png or pdf
2|chart nowhere.csv x.svg|cannot read nowhere.csv
2|chart table.csv x.svg --json|chart writes svg, png and pdf only; try without --json
2|bench broadcast -t complete:2 x.gif|unknown file extension '.gif'; expected .svg, .png or .pdf
2|bench broadcast -t complete:2 x.svg x|x has no file extension; expected
2|bench broadcast -t complete:2 --theme mono|--theme needs a picture; try 'lockstep bench .. FILE.svg'
2|bench cores --caption none|--caption needs a picture
2|bench x.svg -t complete:2|bench needs an operation or benchmark
TABLE
# The time grows with the rows, not with their square: 50,000 take seconds.
case $LS_VARIANT in asan | tsan) long=5000 ;; *) long=50000 ;; esac
awk -v rows=$long 'BEGIN {
	print "operation,topology,bytes,time_ns.median,model_ns"
	for (i = 1; i <= rows; i++)
		print "broadcast,ring:8," 8 * i "," 100 + i "," 90 + i
}' >long.csv
timeout 60 "$LOCKSTEP" chart long.csv long.svg >out 2>err
check "a table of $long rows" [ $? -eq 0 -a -s long.svg ]
run bench broadcast -t complete:2 $few --quiet /nowhere/x.svg
check "a file that cannot be written" sh -c '[ $0 -eq 2 ] && grep -q "^lockstep: cannot write /nowhere/x.svg: " err' $code
finish
