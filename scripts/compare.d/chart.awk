# The CSV of scripts/compare with a first column that names operation, nodes and bytes, for `lockstep chart`.
BEGIN { FS = OFS = "," }
NR == 1 { sub(/median_ns/, "time_per_operation_ns"); print "row", $0; next }
{ print "\"" $1 ", " $2 " nodes" ($3 == "0" ? "" : ", " $3 " bytes") "\"", $0 }
