# A page with the table of `script` between its marks, read from the file `page`.
/^<!-- its end -->$/ { inside = 0 }
!inside
index($0, "<!-- " script " ") == 1 { inside = 1; while ((getline line <page) > 0) print line }
