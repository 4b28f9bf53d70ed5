// Package strictjson reads JSON into Go values where encoding/json lets too much pass.
//
// [Unmarshal] fills structs, lists, maps and numbers by the same tags as encoding/json, and also refuses
//
//   - a name that an object has twice, and a name that differs from a field's only by case;
//   - a null in a list or a map;
//   - an array of another length than the Go array that it fills;
//   - a fraction where an integer belongs, though 8.0 and 1e3 are integers;
//   - a number beyond float64, and an integer beyond ±2⁵³;
//   - a value that an enumeration does not have.
//
// An enumeration is an unsigned integer type with a String method, whose MarshalJSON says what each value is in a file,
// as those of github.com/qmuntal/gltf are. A member that is null counts as left out. A value that fills an interface or
// a [json.RawMessage] stays as it is in the text, digits included.
package strictjson
