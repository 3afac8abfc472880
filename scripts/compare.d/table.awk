# Evaluates the runs of a comparison.  Reads lines
#
#   ROW CONTESTANT NS BEFORE AFTER SETTING WAY AHEAD
#
# NS is a time, `limit` or `failed`; BEFORE and AFTER are the probes around the run.
#
#   what=lacking  the contestants in `playing` with fewer than `runs` runs in the state of most of `row`,
#                 and those in `slow` with none
#   what=head     the head of the table
#   what=row      one line of the table; what=rows: all
#   what=foot     the run-ahead of broadcasts, settings
#   what=page     the table of docs/benchmarks.md
#   what=csv      everything

{
	probe[++probes] = $4; probe[++probes] = $5
	n++
	of_row[n] = $1; who[n] = $2; ns[n] = $3; before[n] = $4; after[n] = $5
	if ($1 != "probe" && !($1 in seen)) { seen[$1] = 1; rows[++row_count] = $1 }
	setting[$1, $2] = $6; if ($7 != "-") way[$1, $2] = $7; if ($8 != "-") ahead[$1, $2] = $8
}

END {
	least = tenth()
	count = split("lockstep lockstep-fibers openmpi mpich libgomp libomp smpi hand limit limit-fibers", contestants, " ")
	programs = count - 2 # the limits are no programs
	libraries = split("openmpi mpich libgomp libomp", library, " ")
	if (what == "lacking") { judge(row); lacking() }
	if (what == "head") head()
	if (what == "row") { judge(row); line(row) }
	if (what == "rows") for (k = 1; k <= row_count; k++) { judge(rows[k]); line(rows[k]) }
	if (what == "foot") foot()
	if (what == "page") page()
	if (what == "csv") csv()
}

# The fastest tenth is left out: in a few probes the threads did not run at the same time.
function tenth(    i, all, most, counted, histogram) {
	for (i = 1; i <= probes; i++) if (probe[i] > 0) {
		all++; histogram[int(probe[i])]++
		if (probe[i] > most) most = int(probe[i])
	}
	for (i = 0; i < most && (counted += histogram[i]) * 10 < all; i++)
		;
	return i + 1
}

function near(x) { return x < 2 * least }
function state(i) { return near(before[i]) != near(after[i]) ? "mixed" : near(before[i]) ? "near" : "far" }

# The state of most runs of a row, and the sorted values of every contestant in that state.
function judge(r,    i, c, k, votes, part) {
	split("", votes); split("", value); split("", values); split("", said); sum = 0; parts = 0
	for (i = 1; i <= n; i++) if (of_row[i] == r) {
		votes[state(i)]++
		if (ns[i] == "limit" || ns[i] == "failed") said[who[i]] = ns[i]
	}
	majority = votes["far"] > votes["near"] ? "far" : "near"
	for (i = 1; i <= n; i++) if (of_row[i] == r && state(i) == majority) {
		sum += before[i] + after[i]; parts += 2
		if (ns[i] + 0 > 0) {
			c = who[i]; k = ++values[c]
			in_turn[c, k] = ns[i]
			for (; k > 1 && value[c, k - 1] + 0 > ns[i] + 0; k--) value[c, k] = value[c, k - 1]
			value[c, k] = ns[i]
		}
	}
	# Nodes that run ahead need fewer context switches than messages: there is no such limit.
	split(r, part, "/")
	if (part[2] > 2 && ahead[r, "lockstep"] > 0) { values["limit"] = 0; said["limit"] = "runs ahead" }
}

function quantile(c, q,    at, low) {
	at = 1 + (values[c] - 1) * q; low = int(at)
	return low >= values[c] ? value[c, values[c]] : value[c, low] + (at - low) * (value[c, low + 1] - value[c, low])
}

function lacking(    c, i, list) {
	c = split(playing, list, " ")
	for (i = 1; i <= c; i++) if (values[list[i]] < runs && !(list[i] in said)) printf "%s ", list[i]
	c = split(slow, list, " ")
	for (i = 1; i <= c; i++) if (!values[list[i]] && !(list[i] in said)) printf "%s ", list[i]
}

# The best of the libraries, by median.
function best(    i, c, b) {
	b = ""
	for (i = 1; i <= libraries; i++) {
		c = library[i]
		if (values[c] && (b == "" || quantile(c, .5) < quantile(b, .5))) b = c
	}
	return b
}

# Ratios of Lockstep to a peer, run by run.
function ratios(peer,    k, j, x) {
	values["ratio"] = 0
	for (k = 1; k <= values["lockstep"] && k <= values[peer]; k++) {
		x = in_turn["lockstep", k] / in_turn[peer, k]
		j = ++values["ratio"]
		for (; j > 1 && value["ratio", j - 1] > x; j--) value["ratio", j] = value["ratio", j - 1]
		value["ratio", j] = x
	}
}

function figure(x) {
	return x < 100 ? sprintf("%.1f", x) : grouped(sprintf("%.0f", x))
}

function grouped(s,    t) {
	t = ""
	while (length(s) > 3) { t = "," substr(s, length(s) - 2) t; s = substr(s, 1, length(s) - 3) }
	return s t
}

function cell(c) {
	if (values[c]) return figure(quantile(c, .5)) (values[c] < 2 && runs > 1 ? "'" : " ")
	return (c in said ? (said[c] == "limit" ? "> limit" : said[c]) : "-") " "
}

function head() {
	printf "%-9s %4s %5s  %-9s", "operation", "p", "bytes", "exchange"
	printf "%12s%12s%12s%12s%12s%12s%15s%12s%12s%14s", "Lockstep", "fibers", "Open MPI", "MPICH", "libgomp",
		"libomp", "SMPI", "hand", "limit", "limit-fibers"
	printf "   %-8s %5s  %-11s  %s\n", "best", "ratio", "quartiles", "to hand  to limit  fibers/best  fibers/threads"
}

function width(c) { return c == "smpi" ? 15 : c == "limit-fibers" ? 14 : 12 }

function line(r,    part, i, b) {
	if (!(r in seen)) return
	split(r, part, "/")
	printf "%-9s %4s %5s  %-9s", part[1], part[2], part[3] == "" ? "-" : part[3],
		parts ? sprintf("%s %.0f", majority, sum / parts) : "-"
	for (i = 1; i <= count; i++) printf "%*s", width(contestants[i]), cell(contestants[i])
	b = best()
	if (b != "" && values["lockstep"]) {
		ratios(b)
		printf "   %-8s %5.2f  %4.2f .. %4.2f", b, quantile("lockstep", .5) / quantile(b, .5),
			quantile("ratio", .25), quantile("ratio", .75)
	} else printf "   %-8s %5s  %-12s", "-", "-", "-"
	printf "  %7s  %8s  %11s  %14s\n", over("lockstep", "hand"), over("lockstep", "limit"), over("lockstep-fibers", b),
		over("lockstep-fibers", "lockstep")
}

# The ratio of two medians; below a tenth with three digits.
function over(ours, theirs,    x) {
	if (!values[ours] || !values[theirs]) return "-"
	x = quantile(ours, .5) / quantile(theirs, .5)
	return sprintf(x < 0.1 ? "%.3f" : "%.2f", x)
}

function foot(    i, r, c, part) {
	print ""
	printf "%s: one run.  > limit: not ready in %d s and a tenth for each node.\n", "'", limit
	print ""
	print "Run-ahead: broadcasts that the root finishes before any other node begins (256: or more)."
	printf "%-20s", ""
	for (c = 1; c <= programs; c++) printf "%10s", contestants[c] == "lockstep-fibers" ? "fibers" : contestants[c]
	print ""
	for (i = 1; i <= row_count; i++) if (rows[i] ~ /^broadcast/) {
		printf "%-20s", rows[i]
		for (c = 1; c <= programs; c++)
			printf "%10s", (rows[i], contestants[c]) in ahead ? ahead[rows[i], contestants[c]] : "-"
		print ""
	}
}

function prose(operation) {
	sub(/^alltoall/, "all-to-all", operation) || sub(/^all/, "all-", operation)
	return operation
}

function cell_or_empty(c) { return values[c] ? cell(c) : "" }
function over_or_empty(a, b) { return values[a] && values[b] ? over(a, b) : "" }

function page(    i, r, b, part, text) {
	print "| operation | nodes | bytes | Lockstep | fibers | best library | ratio | ratio of fibers | quartiles | SMPI | hand | limit | limit / best | limit of fibers | limit of fibers / best |"
	print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= row_count; i++) {
		r = rows[i]; judge(r); b = best(); split(r, part, "/")
		if (!values["lockstep"] && !values["lockstep-fibers"]) continue
		text = quartiles(b)
		text = sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |",
			prose(part[1]) (majority == "far" ? " (far)" : ""), part[2], part[3], cell("lockstep"),
			cell("lockstep-fibers"), b == "" ? "-" : b " " cell(b), over("lockstep", b), over("lockstep-fibers", b),
			text, cell_or_empty("smpi"), cell("hand"), cell_or_empty("limit"), over_or_empty("limit", b),
			cell_or_empty("limit-fibers"), over_or_empty("limit-fibers", b))
		gsub(/ +/, " ", text)
		print text
	}
}

function quartiles(b) {
	if (b == "" || !values["lockstep"]) return "-"
	ratios(b)
	return sprintf("%.2f .. %.2f", quantile("ratio", .25), quantile("ratio", .75))
}

function csv(    i, c, r, part, name, p) {
	print "operation,p,bytes,contestant,state,exchange_ns,setting,way,run_ahead,runs,discarded,q1_ns,median_ns,q3_ns,status"
	for (i = 1; i <= row_count; i++) {
		r = rows[i]; judge(r); split(r, part, "/")
		for (c = 1; c <= count; c++) {
			name = contestants[c]
			if (!((r, name) in setting)) continue
			printf "%s,%s,%s,%s,%s,%.0f,%s,%s,%s,%d,%d,", part[1], part[2], part[3] == "" ? 0 : part[3], name,
				majority, parts ? sum / parts : 0, setting[r, name], way[r, name], ahead[r, name],
				values[name], total(r, name) - values[name]
			if (values[name])
				printf "%.1f,%.1f,%.1f,ok\n", quantile(name, .25), quantile(name, .5), quantile(name, .75)
			else printf ",,,%s\n", name in said ? said[name] : "no run in this state"
		}
	}
}

function total(r, name,    i, k) {
	for (i = 1; i <= n; i++) if (of_row[i] == r && who[i] == name && ns[i] + 0 > 0) k++
	return k + 0
}
