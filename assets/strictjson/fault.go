package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"skinlab/assets/fault"
)

// Explain says what keeps a JSON text from being read into a value of the type of v: the place, as
// "nodes[3].scale", what is there and what was expected. err is what [json.Unmarshal] said.
func Explain(text []byte, v any, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("the JSON is invalid at byte %d: %v", syntax.Offset, syntax)
	}
	path, found, expected := jsonFault(text, reflect.TypeOf(v).Elem())
	if path == "" {
		path = "the whole"
	}
	return fmt.Errorf("the JSON is invalid: %s is %s, expected %s", fault.Shorten(path), fault.Shorten(string(found)),
		expected)
}

// jsonFault returns the first place in a valid JSON text that cannot be read as the type t, from the outside in.
func jsonFault(text json.RawMessage, t reflect.Type) (path string, found json.RawMessage, expected string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	into := func(name string, text json.RawMessage, t reflect.Type) bool {
		if json.Unmarshal(text, reflect.New(t).Interface()) == nil {
			return false
		}
		path, found, expected = jsonFault(text, t)
		if path != "" && path[0] != '[' {
			name += "."
		}
		path = name + path
		return true
	}
	_, own := reflect.New(t).Interface().(json.Unmarshaler)
	switch {
	case own || t == reflect.TypeFor[json.RawMessage]():
	case t.Kind() == reflect.Struct:
		var fields map[string]json.RawMessage
		if json.Unmarshal(text, &fields) != nil {
			break
		}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if value, ok := fields[name]; ok && into(name, value, t.Field(i).Type) {
				return path, found, expected
			}
		}
	case t.Kind() == reflect.Map:
		var values map[string]json.RawMessage
		if json.Unmarshal(text, &values) != nil {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if into(name, values[name], t.Elem()) {
				return path, found, expected
			}
		}
	case t.Kind() == reflect.Slice:
		var values []json.RawMessage
		if json.Unmarshal(text, &values) != nil {
			break
		}
		for i, value := range values {
			if into(fmt.Sprintf("[%d]", i), value, t.Elem()) {
				return path, found, expected
			}
		}
	}
	return "", text, expectedJSON(t)
}

// expectedJSON names what a type is read from.
func expectedJSON(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Integer]():
		return "an integer below 2^53"
	case reflect.TypeFor[Indices]():
		return "an array of integers"
	case reflect.TypeFor[Numbers]():
		return "an array of numbers"
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "an array"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	}
	return "a number"
}
