package gltf

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/qmuntal/gltf"
)

// TestEnumsAsWritten: every enumeration of the document's types is in the table, and a value stands in a file as the
// document's writer writes it.
func TestEnumsAsWritten(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		if seen[x] {
			return
		}
		seen[x] = true
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				walk(x.Field(i).Type)
			}
		case reflect.Uint8, reflect.Uint16:
			own := reflect.PointerTo(x).Implements(reflect.TypeFor[json.Unmarshaler]())
			if own != (enums[x] != nil) {
				t.Errorf("%v: an enumeration %v, in the table %v", x, own, enums[x] != nil)
			}
		}
	}
	walk(reflect.TypeFor[gltf.Document]())
	for x, values := range enums {
		if !seen[x] {
			t.Errorf("%v: not in a document", x)
		}
		for text, n := range values {
			p := reflect.New(x)
			p.Elem().SetUint(n)
			if written, err := json.Marshal(p.Interface()); err != nil || string(written) != text {
				t.Errorf("%v: %s is written %s, %v", x, text, written, err)
			}
		}
	}
}
