#!/bin/sh
# The tables of verbs, options and formats: help, messages and behavior agree, for all of them.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

"$LOCKSTEP" help >help
verbs=$(sed -n 's/^  lockstep \([a-z]*\).*/\1/p' help | sed '/^$/d' | sort -u)
check "thirteen verbs" [ "$(echo "$verbs" | wc -w)" -eq 13 ]
for verb in $verbs; do
	[ $verb = help ] && continue
	"$LOCKSTEP" help $verb >help.$verb
	sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\2/p' help.$verb | sort >takes.$verb
	grep -oE -e '--[a-z-]+ [A-Z]' help.$verb | sed 's/^--//; s/ .*//' >>valued
done
: >takes.help
cat takes.* | sort -u >options
check "at least 30 options" [ "$(wc -l <options)" -ge 30 ]

# Every verb with every option that it does not take: the verbs of the message take it.  A fast test tries
# every fifth.
pairs=0
for verb in $verbs; do
	for option in $(comm -23 options takes.$verb); do
		case $option in help | version | color | format) continue ;; esac
		pairs=$((pairs + 1))
		[ -z "$LS_FAST" ] || [ $((pairs % 5)) -eq 0 ] || continue
		value=
		grep -qx -e "$option" valued && value=1
		case $option in
		type) value=double ;; op) value=sum ;; mode) value=hop ;; engine) value=auto ;;
		rounds) value=free ;; nodes) value=fibers ;; bind) value=none ;;
		values | labels | symmetry) value=none ;; theme) value=mono ;; x-axis) value=time ;; model) value=1,1 ;; topology) value=ring:4 ;;
		esac
		run $verb --$option $value
		check "exit 2 of $verb --$option" [ $code -eq 2 ]
		check "one message of $verb --$option" one_message
		if grep -q ' takes\{0,1\} it$' err; then
			named=$(sed 's/.*; only //; s/ takes\{0,1\} it$//; s/, / /g; s/ and / /g' err)
			for other in $named; do
				check "$other takes --$option, as the message of $verb says" grep -qx -e "$option" takes.$other
			done
			for other in $verbs; do
				grep -qx -e "$option" takes.$other || continue
				check "the message of $verb --$option names $other" \
					sh -c 'echo " $1 " | grep -q " $2 "' - "$(echo $named)" $other
			done
		else
			check "$verb --$option has a remedy" grep -Eq '; try (--(csv|json)|without --(csv|json)|.lockstep steps )' err
		fi
	done
done

run help help --json
check "a verb without formats refuses --json" [ $code -eq 2 ]
run steps broadcast -t ring:4 --trace x.csv
check "steps --trace names the operand" grep -q "; try 'lockstep steps OPERATION -t TOPOLOGY FILE.csv'$" err

# A trace that names its operation is taken by every verb with --plan.
"$LOCKSTEP" steps broadcast -t ring:4 trace.csv
for verb in steps check run; do
	run $verb --plan trace.csv -t ring:4
	check "$verb takes a trace" [ $code -eq 0 ]
done

# The formats that help names are those that files get.
for file in x.csv x.plan x.txt; do
	check "help steps names .${file#x.}" grep -q "extension selects .* \.${file#x.}" help.steps
	run steps broadcast -t ring:4 $file
	check "steps writes $file" [ $code -eq 0 -a -s $file ]
done
run steps broadcast -t ring:4 x.svgz
check "the message about an unknown ending names the known ones" grep -q "; expected .txt, .csv, .plan, .json, .svg, .html, .png, .pdf, .tex or .dot$" err

# Every verb but help has examples; those that need no file of the reader succeed.
"$LOCKSTEP" steps allreduce -t ring:8 my.plan
"$LOCKSTEP" steps broadcast -t ring:8 mine.csv
"$LOCKSTEP" run allreduce -t ring:8 --trace run.csv --times --quiet
"$LOCKSTEP" bench allreduce -t complete:2 -m 1:64:x8 --samples 2 -i 1 --csv >times.csv 2>err
for verb in $verbs; do
	[ $verb = help ] && continue
	sed -n '/^Examples:/,$s/^  lockstep //p' help.$verb >examples
	check "two to four examples of $verb" sh -c 'n=$(wc -l <examples); [ $n -ge 2 -a $n -le 4 ]'
	check "the examples of $verb are its own" sh -c '! grep -Ev "^$1( |$)" examples | grep -qv "lockstep fit"' - $verb
	case $verb in bench | reproduce) continue ;; esac
	while read -r arguments; do
		case $arguments in *'|'*) continue ;; esac
		eval "run $arguments"
		check "the example succeeds: $arguments" [ $code -eq 0 ]
	done <examples
done

finish
