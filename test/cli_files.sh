#!/bin/sh
# Operands from files and results into files: raw, .npy, CSV.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

printf '1,2\n3,4\n5,6\n' >in.csv
run run allreduce -t ring:3 --input in.csv --output out.csv
check "sums of a CSV" [ $code -eq 0 -a "$(cat out.csv)" = "9,12
9,12
9,12" ]
run run reduce -t ring:3 -r 1 -o max -d int32 --input in.csv --output out.csv
check "a reduction fills the root's row" [ $code -eq 0 -a "$(sed -n 2p out.csv)" = 5,6 ]
run run broadcast -t ring:3 -r 2 --input in.csv --output out.csv
check "the root's row is broadcast" [ $code -eq 0 -a "$(sort -u out.csv)" = 5,6 ]
run run allreduce -t ring:3 -o maxloc -d int16 --input in.csv --output out.csv
check "pairs are value:rank" [ $code -eq 0 -a "$(sed 1q out.csv)" = 5:2,6:2 ]
run run allreduce -t ring:3 -d int8 --output out.csv -m 3
check "element e of node r is r + 1 + e" [ $code -eq 0 -a "$(sed 1q out.csv)" = 6,9,12 ]
run run allreduce -t ring:3 -d uint8 -o prod --input in.csv --output out.csv
check "products" [ $code -eq 0 -a "$(sed 1q out.csv)" = 15,48 ]

# Operation and options | columns of the operand | the rows of the result, : between.  Element e of
# node r of the operand is 10 r + e; there are three nodes.
while IFS='|' read -r operation columns rows; do
	awk -v n="$columns" 'BEGIN { for (r = 0; r < 3; r++) for (e = 0; e < n; e++)
		printf "%d%s", 10 * r + e, e + 1 < n ? "," : "\n" }' >blocks.csv
	run run $operation -t ring:3 -d int32 --input blocks.csv --output out.csv
	check "rows of $operation: $(tr '\n' : <out.csv)" [ $code -eq 0 -a "$(tr '\n' : <out.csv)" = "$rows" ]
done <<'TABLE'
allgather|2|0,1,10,11,20,21:0,1,10,11,20,21:0,1,10,11,20,21:
gather -r 1|2|0,0,0,0,0,0:0,1,10,11,20,21:0,0,0,0,0,0:
scatter -r 2|3|20:21:22:
reduce-scatter|6|30,33:36,39:42,45:
reduce-scatter -o maxloc|3|20:2:21:2:22:2:
scan|1|0:10:30:
exscan|2|0,0:0,1:10,12:
exscan -o max|1|0:0:10:
alltoall|3|0,10,20:1,11,21:2,12,22:
alltoall -m 2|6|0,1,10,11,20,21:2,3,12,13,22,23:4,5,14,15,24,25:
shift|1|20:0:10:
shift -q -1|2|10,11:20,21:0,1:
TABLE
run run alltoall -t ring:3 -d int8 --output out.csv -m 2
check "alltoall adds the destination" [ $code -eq 0 -a "$(sed -n 2p out.csv)" = 2,3,3,4,4,5 ]
run run scatter -t ring:3 -d int8 --output out.csv
check "scatter adds the destination" [ $code -eq 0 -a "$(tr '\n' : <out.csv)" = 1:2:3: ]

printf '7\n5\n5\n' >ties.csv
run run allreduce -t ring:3 -o minloc --input ties.csv --output out.csv
check "of equal values the lower rank" [ $code -eq 0 -a "$(sed 1q out.csv)" = 5:1 ]

printf '# comment\n\n 100 , -1 \r\n100,-1\n100,-1\n' >wrap.csv
run run allreduce -t ring:3 -d int8 --input wrap.csv --output out.csv
check "integers wrap" [ $code -eq 0 -a "$(sed 1q out.csv)" = 44,-3 ]
printf '1+2i\n-1e1-2j\n3i\n' >complex.csv
run run allreduce -t ring:3 -d cdouble --input complex.csv --output out.csv
check "complex numbers" [ $code -eq 0 -a "$(sed 1q out.csv)" = -9+3i ]
printf 'nan,inf,-0\n1,1,0\n2,-inf,0\n' >special.csv
run run allreduce -t ring:3 -o min --input special.csv --output out.csv
check "NaN, infinities and -0" [ $code -eq 0 -a "$(sed 1q out.csv | tr -d -- -)" = nan,inf,0 ]
run run allreduce -t ring:3 --input special.csv --output out.csv
check "NaN of infinities" [ $code -eq 0 ]

# What is written can be read again, in every format and type.
for type in int8 uint16 int32 uint64 float double cfloat cdouble; do
	for ending in csv npy raw; do
		run run allreduce -t star:3 -d $type -m 4 --seed 1 --output first.$ending
		check "writing $type as $ending" [ $code -eq 0 ]
		run run broadcast -t star:3 -d $type -m 4 --input first.$ending --output second.$ending
		check "reading $type as $ending" [ $code -eq 0 ]
		check "$type comes back as $ending" cmp -s first.$ending second.$ending
	done
done
run run broadcast -t star:3 --input first.npy --json
check "a .npy file states its type" grep -q '"type":"cdouble"' out
check "the file determines m" grep -q '"elements":4' out
run run allreduce -t star:3 -o minloc -d int16 --output pairs.npy
check "pairs as .npy" grep -aq "('value', '<i2'), ('', '|V6'), ('index', '<i8')" pairs.npy
"$LOCKSTEP" run allreduce -t star:3 -m 2 -d int64 --seed 1 --output a.csv >out
"$LOCKSTEP" run allreduce -t star:3 -m 2 -d int64 --seed 2 --output b.csv >out
check "another seed, other numbers" sh -c '! cmp -s a.csv b.csv'

# Files that do not fit | message.  All exit 2.
printf '1,2\n3,4\n' >short.csv
printf '1,2\n3\n5,6\n' >ragged.csv
printf '1,2\n3,x\n5,6\n' >word.csv
printf '1,2\n3,300\n5,6\n' >large.csv
printf '1,2\n3,1.5\n5,6\n' >fraction.csv
printf '12345' >odd.raw
: >empty.raw
printf 'no numpy at all' >bad.npy
head -c 90 first.npy >cut.npy
sed 's/(6, 4)/(9, 4)/' first.npy >rows.npy
sed 's/False/True /' first.npy >fortran.npy
sed 's/<c16/>c16/' first.npy >big.npy
while IFS='|' read -r topology arguments pattern; do
	run run allreduce -t $topology $arguments
	check "exit 2 of $arguments on $topology (was $code)" [ $code -eq 2 ]
	check "one message of $arguments" one_message
	check "message /$pattern/ of $arguments" grep -q "$pattern" err
done <<'TABLE'
ring:3|--input short.csv|2 rows; expected 3, one per node
ring:2|--input in.csv|3 rows; expected 2, one per node
ring:3|--input ragged.csv|2: 1 element; expected 2
ring:3|--input word.csv|word.csv:2: 'x' is not a number of type double
ring:3|--input large.csv -d int8|'300' is not a number of type int8
ring:3|--input fraction.csv -d int32|'1.5' is not a number of type int32
ring:3|--input in.csv -m 3|in.csv:[0-9]*: 2 elements; expected 3
ring:3|--input odd.raw|5 bytes
ring:3|--input empty.raw|0 bytes
ring:3|--input odd.raw -m 1|odd.raw does not hold 3 rows
ring:3|--input .|is not a regular file
star:3|--input bad.npy|is not a .npy file
star:3|--input cut.npy|.npy
star:3|--input rows.npy|9 rows
star:3|--input fortran.npy|Fortran
star:3|--input big.npy|>c16
star:3|--input first.npy -d double|try -d cdouble
TABLE
finish
