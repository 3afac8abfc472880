# Inserts text into a page: the lines behind `@verb run` of the first file go before the comment
# `.\" @verb run` of the second.
#
#   awk -v out=PAGE -f scripts/details.awk docs/man/lockstep.1.in lockstep.1

FNR == NR && /^@/ {
	key = $0
	gsub(/\\/, "", key)
	if (key in detail)
		fail("twice")
	detail[key] = ""
	next
}
FNR == NR {
	if (key != "")
		detail[key] = detail[key] $0 "\n"
	next
}
/^\.\\" @/ {
	key = $0
	sub(/^[^@]*/, "", key)
	if (key in detail)
		printf "%s", detail[key] >out
	delete detail[key]
	next
}
{ print >out }

function fail(why)
{
	print ARGV[1] ": " key " " why >"/dev/stderr"
	failed = 1
}

END {
	for (key in detail)
		fail("names no entry of the page")
	exit failed
}
