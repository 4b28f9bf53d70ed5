package assets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// parse reads the JSON text and explains what is wrong with it.
func (doc *document) parse(text []byte) error {
	if err := json.Unmarshal(text, doc); err != nil {
		return malformed("%w", explainJSON(text, doc, err))
	}
	return nil
}

// integer is a JSON number without a fraction, within ±2⁵³. JSON's own decoder would take null for 0, and an index that
// is null is a fault.
type integer int64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *integer) UnmarshalJSON(b []byte) error {
	v, err := parseInteger(b)
	*n = integer(v)
	return err
}

func parseInteger(b []byte) (int64, error) {
	if v, err := strconv.ParseInt(string(b), 10, 54); err == nil {
		return v, nil
	}
	// 3.0 and 1e3 are integers too.
	if v, err := strconv.ParseFloat(string(b), 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return int64(v), nil
	}
	return 0, fmt.Errorf("%s is not an integer", shorten(string(b)))
}

// indices is an array of integers.
type indices []int

// UnmarshalJSON implements [json.Unmarshaler].
func (x *indices) UnmarshalJSON(b []byte) error {
	*x = nil
	return eachNumber(b, func(item []byte) error {
		v, err := parseInteger(item)
		*x = append(*x, int(v))
		return err
	})
}

// numbers is an array of finite numbers.
type numbers []float64

// UnmarshalJSON implements [json.Unmarshaler].
func (x *numbers) UnmarshalJSON(b []byte) error {
	*x = nil
	return eachNumber(b, func(item []byte) error {
		v, err := strconv.ParseFloat(string(item), 64)
		if err != nil { // a string, an object, null, or beyond float64
			return fmt.Errorf("%s is not a number", shorten(string(item)))
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
		return fmt.Errorf("%s is not an array of numbers", shorten(string(b)))
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
