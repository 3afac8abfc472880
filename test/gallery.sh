#!/bin/sh
# The gallery: every picture is made, pages are small and name no other host, and each file equals the kept
# one.  After a change of drawings, look at build/gallery/index.html, then `make golden` keeps the new files.
#
# variants: release coverage
. "$(dirname "$0")/support/cli"
golden=$tree/test/golden/gallery

sh "$tree/scripts/gallery" "$LOCKSTEP" . --fixed >out 2>err
check "all pictures are made" [ $? -eq 0 -a ! -s err ]
check "about 40 figures or more" [ "$(grep -c '<figure ' index.html)" -ge 40 ]
for file in *.html; do
	check "$file has less than 100 KB" [ "$(wc -c <"$file")" -lt 100000 ]
	check "$file names no other host" sh -c '! grep -E "(src|href)=\"?(https?:)?//|url\(|@import" "$1"' sh "$file"
done
sed -n 's/.*\(src\|href\)="\([^"]*\)".*/\2/p' index.html | sort -u >linked
check "every file of the page exists" sh -c 'while read -r file; do [ -s "$file" ] || exit; done <linked'
check "a picture of each figure" [ "$("$LOCKSTEP" draw --list | sed '1,/^figures$/d' | wc -l)" -eq \
	"$(grep -c 'pre>lockstep draw [a-z0-9.]* [^ ]*svg<' index.html)" ]

# The first line that differs, of a kept picture and of the new one.
same_as_kept() {
	cmp -s "$1" "$2" && return
	diff "$1" "$2" | sed -n "/^[<>]/{s/^</    kept:/;s/^>/    now: /;s/^\(.\{160\}\).*/\1../;p;}" | sed -n '1p;/now/{p;q;}'
	return 1
}
: >out && : >err
remedy='look at it in build/gallery (make gallery), then keep it: make golden'
for file in "$golden"/*.svg; do
	check "$(basename "$file") is the kept picture; $remedy" same_as_kept "$file" "$(basename "$file")"
done
sha256sum -c --quiet "$golden/SHA256SUMS" >out 2>err
check "every file has its kept sum; $remedy" [ $? -eq 0 ]
sed 's/^[^ ]* *//' "$golden/SHA256SUMS" | sort >summed
ls -- *.svg *.html *.tex *.csv *.txt | grep -vx index.html | sort >made
check "every file has a sum; $remedy" cmp -s summed made

# ---- Pictures of README.md and docs/

sh "$tree/scripts/gallery" "$LOCKSTEP" . --docs >out 2>err
check "the pictures of docs/ are made" [ $? -eq 0 -a ! -s err ]
for file in "$tree"/docs/images/*.svg; do
	name=docs/images/$(basename "$file")
	check "$name is what its command draws; $remedy" same_as_kept "$file" "$name"
	check "a page shows $name" grep -qF "images/$(basename "$file")" "$tree/README.md" "$tree"/docs/*.md
done

finish
