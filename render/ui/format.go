package ui

import (
	"bytes"
	"strconv"
	"unsafe"
)

// Line composes text without allocating, because it reuses its bytes.
type Line struct{ b []byte }

func (l *Line) Start() *Line {
	l.b = l.b[:0]
	return l
}

func (l *Line) S(s string) *Line {
	l.b = append(l.b, s...)
	return l
}

// F appends a number with this many decimals. A number that rounds to zero has no sign: 0.0, not -0.0.
func (l *Line) F(x float64, decimals int) *Line {
	start := len(l.b)
	l.b = strconv.AppendFloat(l.b, x, 'f', decimals, 64)
	if zero(l.b[start:]) {
		l.b = append(l.b[:start], l.b[start+1:]...)
	}
	return l
}

// zero reports whether digits are a zero behind a minus sign.
func zero(digits []byte) bool {
	return digits[0] == '-' && len(bytes.Trim(digits[1:], "0.")) == 0
}

// I appends a whole number with thin spaces between groups of three digits: 13 380.
func (l *Line) I(n int) *Line {
	if n < 0 {
		l.b = append(l.b, '-')
		n = -n
	}
	start := len(l.b)
	l.b = strconv.AppendInt(l.b, int64(n), 10)
	for at := len(l.b) - 3; at > start; at -= 3 {
		l.b = append(l.b, 0)
		copy(l.b[at+1:], l.b[at:])
		l.b[at] = ' '
	}
	return l
}

// Count appends a number of things: 1 pose, 2 poses.
func (l *Line) Count(n int, one, many string) *Line {
	if n != 1 {
		one = many
	}
	return l.I(n).S(" ").S(one)
}

// Clock appends a time as minutes and seconds if minutes is set, else as seconds.
func (l *Line) Clock(seconds float64, decimals int, minutes bool) *Line {
	if !minutes {
		return l.F(seconds, decimals)
	}
	// This rounds before it splits off the minutes. Otherwise 59.999 s would be written as 0:60.00.
	unit := 1.0
	for range decimals {
		unit *= 10
	}
	ticks := int64(seconds*unit + 0.5)
	perMinute := int64(60 * unit)
	l.b = strconv.AppendInt(l.b, ticks/perMinute, 10)
	l.b = append(l.b, ':')
	rest := float64(ticks%perMinute) / unit
	if rest < 10 {
		l.b = append(l.b, '0')
	}
	return l.F(rest, decimals)
}

// View returns the line as a string over the reused bytes. It is valid until the next Start.
func (l *Line) View() string { return unsafe.String(unsafe.SliceData(l.b), len(l.b)) }
