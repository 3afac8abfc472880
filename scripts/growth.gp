# Time a message against nodes, from the CSV of scripts/growth:
#
#   gnuplot -e "data='scripts/results/growth.csv'; picture='scripts/results/growth.svg'" scripts/growth.gp
set terminal svg size 900,560 font "sans-serif,13" background "white"
set output picture
set datafile separator ","
set logscale x 2
set logscale y
set format x "2^{%L}"
set xlabel "nodes"
set ylabel "ns a message, by all workers together"
set grid xtics ytics lc rgb "#dddddd"
set key outside right top Left reverse samplen 2
set title "All-reduce of a 64-bit integer, swept: time a message"

# Column 1 is the network, 2 nodes, 8 and 9 .. quartiles, 10 ns a message, 14 what the working set fits.
of(family) = strcol(1)[1:strlen(family)] eq family
ns(family) = of(family) ? $10 : NaN
ns_in(level) = strcol(14) eq level ? $10 : NaN
levels = "L1 L2 L3 memory"
array color[4] = [ "#2c7bb6", "#5aae61", "#fdae61", "#d7191c" ]

plot data skip 1 using 2:(of("star") ? $10 : 1/0) with lines lw 2 lc rgb "#555555" title "star, paper", \
	data skip 1 using 2:(of("hypercube") ? $10 : 1/0) with lines lw 2 dt 2 lc rgb "#555555" \
		title "hypercube, doubling", \
	for [i = 1:4] data skip 1 using 2:(strcol(14) eq word(levels, i) ? $10 : 1/0) with points pt 7 ps 0.8 \
		lc rgb color[i] title "fits ".word(levels, i)
