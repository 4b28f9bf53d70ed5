// Package messages writes names from files, counts of things, and lengths in their units, in a form that is safe in
// errors and on terminals. Names come from untrusted files: they may be a megabyte long or contain escape sequences.
package messages

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a name of a file's as a terminal may show it: quoted where it has line breaks, escape sequences or
// other characters that are not for printing, and cut where it is longer than 80 bytes.
func Printable(name string) string {
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
		room -= max(size, len(strconv.Quote(name[at:at+size]))-2)
		if room < 0 {
			return name[:at] + "…"
		}
		at += size
	}
	return name
}

// List quotes names of a file's as an error may list them: the first, and more as far as 160 bytes go. It also
// returns the number of names in the list.
func List(names []string) (list string, count int) {
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

// Count writes a number of things: "1 bone", "2 bones".
func Count(n int, one, many string) string {
	if n != 1 {
		one = many
	}
	return strconv.Itoa(n) + " " + one
}

// mostIndices is the largest number of indices that a message lists.
const mostIndices = 12

// Indices lists indices for a message: "0, 2 or 5", or the first of many.
func Indices(all []int) string {
	text := make([]string, min(len(all), mostIndices))
	for i := range text {
		text[i] = strconv.Itoa(all[i])
	}
	if last := len(text) - 1; len(text) == len(all) && last > 0 {
		return strings.Join(text[:last], ", ") + " or " + text[last]
	}
	return strings.Join(text, ", ") + " ..."
}
