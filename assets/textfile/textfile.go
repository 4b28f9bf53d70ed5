// Package textfile has what text files have in common: the byte order mark that some programs put in front, and the
// three ends of lines.
package textfile

import "bytes"

// Mark is the byte order mark in UTF-8. Programs on Windows begin files with it.
const Mark = "\uFEFF"

var mark = []byte(Mark)

// TrimMark cuts off a byte order mark at the beginning.
func TrimMark(text []byte) []byte { return bytes.TrimPrefix(text, mark) }

// ScanLines is a [bufio.SplitFunc] of lines without their ends, which are LF, CR LF, or CR alone. A byte order mark at
// the beginning of any line is no part of it: files that were joined have one in the middle.
func ScanLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := bytes.IndexAny(data, "\r\n")
	switch {
	case end < 0 && atEOF && len(data) > 0:
		return len(data), TrimMark(data), nil
	case end < 0 || data[end] == '\r' && end+1 == len(data) && !atEOF:
		return 0, nil, nil // more has to be read; an LF may follow the CR
	}
	advance = end + 1
	if data[end] == '\r' && advance < len(data) && data[advance] == '\n' {
		advance++
	}
	return advance, TrimMark(data[:end]), nil
}
