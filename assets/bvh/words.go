package bvh

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skinlab/assets/fault"
)

// words cuts a text into words and numbers. Lines matter only to names, to comments and to rows of numbers.
type words struct {
	text  []byte
	at    int
	line  int // of the word that was read last or, after skip, of the next
	notes *fault.Notes
	told  *[]string // the warnings that are given once
}

// newWords begins a text. Behind the last word some programs leave zeros or the end mark of DOS, Ctrl-Z.
func newWords(text []byte) words {
	w := words{text: bytes.TrimRight(text, "\x00\x1a \t\n\r\v\f"), line: 1, notes: &fault.Notes{}, told: new([]string)}
	if bytes.ContainsAny(text[len(w.text):], "\x00\x1a") {
		w.notes.Add("zeros or Ctrl-Z behind the last line are left out")
	}
	return w
}

// warn adds a warning about the line of the word that was read last.
func (w *words) warn(format string, args ...any) {
	w.notes.Add("line %d: %s", w.line, fmt.Sprintf(format, args...))
}

// warnOnce is [words.warn] for what a file may have on every line: it names the first.
func (w *words) warnOnce(format string, args ...any) {
	if !slices.Contains(*w.told, format) {
		*w.told = append(*w.told, format)
		w.warn(format, args...)
	}
}

// skip goes to the beginning of the next word, past comments.
func (w *words) skip() {
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; {
		case c == '\n' || c == '\r' && !bytes.HasPrefix(w.text[w.at+1:], []byte{'\n'}):
			w.line++
		case isComment(w.text[w.at:]):
			w.warnOnce("a comment, which the format does not have, is left out, and others if there are any")
			end := bytes.IndexAny(w.text[w.at:], "\n\r")
			if end < 0 {
				end = len(w.text) - w.at
			}
			w.at += end - 1
		case !isSpace(c):
			return
		}
	}
}

// atEnd reports whether no word is left.
func (w *words) atEnd() bool {
	w.skip()
	return w.at == len(w.text)
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// isComment reports whether a comment begins here, in one of the ways that people try.
func isComment(text []byte) bool {
	return text[0] == '#' || text[0] == ';' || bytes.HasPrefix(text, []byte("//"))
}

// word returns the next word, "" at the end of the file.
func (w *words) word() string { return string(w.next()) }

// next returns the bytes of the next word. Braces need no space around them, and a colon none behind it.
func (w *words) next() []byte {
	w.skip()
	start := w.at
	for w.at < len(w.text) && !isSpace(w.text[w.at]) {
		c := w.text[w.at]
		if brace := c == '{' || c == '}'; brace && w.at > start {
			break
		} else if w.at++; brace || c == ':' {
			break
		}
	}
	return w.text[start:w.at]
}

// name returns the rest of the line up to a brace or a comment: names may have spaces.
func (w *words) name() string {
	start := w.at
	for w.at < len(w.text) && !strings.ContainsRune("{\n\r", rune(w.text[w.at])) &&
		!(w.at > start && isSpace(w.text[w.at-1]) && isComment(w.text[w.at:])) {
		w.at++
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(w.text[start:w.at]), "\uFFFD"))
}

// expect reads a word that has to stand here, in any case of letters.
func (w *words) expect(want string) error {
	if got := w.word(); !strings.EqualFold(got, want) {
		return fmt.Errorf("expected %s, found %s", want, quoted(got))
	}
	return nil
}

// key reads a word that has to stand here with a colon and a space behind it.
func (w *words) key(want string) error {
	got := w.word()
	if !strings.EqualFold(strings.TrimSuffix(got, ":"), want) {
		return fmt.Errorf("expected %s:, found %s", want, quoted(got))
	}
	glued := w.at < len(w.text) && !isSpace(w.text[w.at])
	apart := !strings.HasSuffix(got, ":")
	w.skip()
	if apart && bytes.HasPrefix(w.text[w.at:], []byte{':'}) {
		w.at++
	}
	if glued || apart {
		w.warn("%s: a colon and a space are expected between it and its number", want)
	}
	return nil
}

func quoted(word string) string {
	if word == "" {
		return "the end of the file"
	}
	return strconv.Quote(fault.Shorten(word))
}

// numeral returns the next word up to a sign within it, which begins the next number: "1.5-2e-3" is 1.5 and −2e−3.
func (w *words) numeral() []byte {
	word := w.next()
	for k := 1; k < len(word); k++ {
		if c, before := word[k], word[k-1]; (c == '-' || c == '+') && before != 'e' && before != 'E' {
			w.warnOnce("%s: a sign begins another number, here and perhaps elsewhere", quoted(string(word)))
			w.at -= len(word) - k
			return word[:k]
		}
	}
	return word
}

// countLine passes over the numbers of the line that the next word is on, and returns how many they are.
func (w *words) countLine() (n int) {
	for line := w.line; !w.atEnd() && w.line == line; n++ {
		w.numeral()
	}
	return n
}

// number reads a finite number of at most maxLength. It may have a comma for its point.
func (w *words) number() (float64, error) {
	word := w.numeral()
	text := word
	if comma := bytes.IndexByte(word, ','); comma >= 0 && bytes.IndexByte(word, '.') < 0 {
		w.warnOnce("%s: a comma is read as the decimal point, here and perhaps elsewhere", quoted(string(word)))
		text = bytes.Replace(word, []byte{','}, []byte{'.'}, 1)
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(math.Abs(x) <= maxLength) {
		return 0, fmt.Errorf("expected a number, found %s", quoted(string(word)))
	}
	return x, nil
}
