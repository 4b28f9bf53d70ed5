// Package strictjson holds what encoding/json lets pass: numbers that are no integers or no numbers at all, names given
// twice. [Explain] says where in a text its errors are.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"skinlab/assets/fault"
)

// RepeatedKey finds the first name that an object of a valid JSON text has twice, and the byte after it; 0 where there
// is none. glTF 2.0 forbids it, and readers differ in which of the two they take.
func RepeatedKey(text []byte) (name string, at int64) {
	type object struct {
		names map[string]bool // nil for an array
		value bool            // what comes next is the value of a name
	}
	var open []object
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			return "", 0
		}
		var in *object
		if len(open) > 0 {
			in = &open[len(open)-1]
		}
		if key, ok := token.(string); ok && in != nil && in.names != nil && !in.value {
			if in.names[key] {
				return key, d.InputOffset()
			}
			in.names[key], in.value = true, true
			continue
		}
		switch token {
		case json.Delim('{'):
			open = append(open, object{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, object{})
		case json.Delim('}'), json.Delim(']'):
			if open = open[:len(open)-1]; len(open) > 0 {
				open[len(open)-1].value = false
			}
		default:
			if in != nil {
				in.value = false
			}
		}
	}
}

// Integer is a JSON number without a fraction, within ±2⁵³. JSON's own decoder would take null for 0, and an index that
// is null is a fault.
type Integer int64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Integer) UnmarshalJSON(b []byte) error {
	v, err := ParseInteger(b)
	*n = Integer(v)
	return err
}

func ParseInteger(b []byte) (int64, error) {
	if v, err := strconv.ParseInt(string(b), 10, 54); err == nil {
		return v, nil
	}
	// 3.0 and 1e3 are integers too.
	if v, err := strconv.ParseFloat(string(b), 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return int64(v), nil
	}
	return 0, fmt.Errorf("%s is not an integer", fault.Shorten(string(b)))
}

// Indices is an array of integers.
type Indices []int

// UnmarshalJSON implements [json.Unmarshaler].
func (x *Indices) UnmarshalJSON(b []byte) error {
	*x = nil
	return eachNumber(b, func(item []byte) error {
		v, err := ParseInteger(item)
		*x = append(*x, int(v))
		return err
	})
}

// Numbers is an array of finite numbers.
type Numbers []float64

// UnmarshalJSON implements [json.Unmarshaler].
func (x *Numbers) UnmarshalJSON(b []byte) error {
	*x = nil
	return eachNumber(b, func(item []byte) error {
		v, err := strconv.ParseFloat(string(item), 64)
		if err != nil { // a string, an object, null, or beyond float64
			return fmt.Errorf("%s is not a number", fault.Shorten(string(item)))
		}
		*x = append(*x, v)
		return nil
	})
}

// eachNumber calls add with every item of a JSON array that should hold numbers only. The text is valid JSON: the
// decoder that calls us has checked it. A null array counts as absent.
func eachNumber(b []byte, add func([]byte) error) error {
	if string(b) == "null" {
		return nil
	}
	if len(b) < 2 || b[0] != '[' {
		return fmt.Errorf("%s is not an array of numbers", fault.Shorten(string(b)))
	}
	b = bytes.TrimSpace(b[1 : len(b)-1])
	for len(b) > 0 {
		item, rest, more := bytes.Cut(b, []byte(","))
		if err := add(bytes.TrimSpace(item)); err != nil {
			return err
		}
		if !more {
			break
		}
		b = rest
	}
	return nil
}
