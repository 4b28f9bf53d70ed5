package skinning

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printed returns a name of a file's as a terminal may show it: quoted where it has line breaks, escape sequences or
// other characters that are not for printing, and cut where it is longer than 80 bytes.
func Printed(name string) string {
	name = Shortened(name)
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// Shortened returns a name of a file's as an error may quote it with %q: cut where it is longer than 80 bytes, escape
// sequences as %q writes them among these.
func Shortened(name string) string {
	const most = 80
	if len(name) <= most/4 { // an escape sequence takes at most four bytes for one of the name, or ten for four
		return name
	}
	room := most
	for at := 0; at < len(name); {
		_, size := utf8.DecodeRuneInString(name[at:])
		if room -= max(size, len(strconv.Quote(name[at:at+size]))-2); room < 0 {
			return name[:at] + "…"
		}
		at += size
	}
	return name
}

// listed quotes names of a file's as an error may list them: the first, and more as far as 160 bytes go. It says how many
// those are.
func listed(names []string) (list string, count int) {
	const most = 160
	for count < len(names) {
		next := strconv.Quote(Shortened(names[count]))
		if count > 0 && len(list)+1+len(next) > most {
			break
		}
		list = strings.TrimPrefix(list+" "+next, " ")
		count++
	}
	return "[" + list + "]", count
}

// Counted says how many there are of something: "1 bone", "2 bones".
func Counted(n int, one, many string) string {
	if n != 1 {
		one = many
	}
	return strconv.Itoa(n) + " " + one
}
