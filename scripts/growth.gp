# Time per message against nodes, from the CSV of scripts/growth, with the cache that the working set fits:
#
#   gnuplot -e "data='scripts/results/growth.csv'; picture='growth.svg'" scripts/growth.gp
set terminal svg size 900,560 font "sans-serif,13" background "white"
set output picture
set datafile separator ","
set logscale x 2
set logscale y
set format x "2^{%L}"
set xlabel "nodes"
set ylabel "ns per message, by all workers together"
set grid xtics ytics lc rgb "#dddddd"
set key top right Left reverse samplen 2 box lc rgb "#dddddd" opaque
set title "All-reduce of a 64-bit integer, swept"

# Columns: 1 the network, 2 nodes, 10 ns per message, 14 the smallest that the working set fits.
ns(family) = strcol(1)[1:strlen(family)] eq family ? $10 : 1/0
levels = "L1 L2 L3 memory"
array color[4] = [ "#2c7bb6", "#5aae61", "#fdae61", "#d7191c" ]

plot data skip 1 using 2:(ns("star")) with lines lw 2 lc rgb "#222222" title "star, paper", \
	data skip 1 using 2:(ns("hypercube")) with lines lw 2 lc rgb "#999999" title "hypercube, doubling", \
	for [i = 1:4] data skip 1 using 2:(strcol(14) eq word(levels, i) ? $10 : 1/0) with points pt 7 ps 0.9 \
		lc rgb color[i] title "working set in ".word(levels, i)
