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

// Shortened returns a name of a file's as an error may quote it with %q: cut where it is longer than 80 bytes.
func Shortened(name string) string {
	const most = 80
	if len(name) <= most {
		return name
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "…"
}
