package gltftest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
)

// HostileValues replace each value of a file's JSON in turn. They are raw text, so that they can include numbers beyond
// float64.
func HostileValues() []json.RawMessage {
	var out []json.RawMessage
	for _, s := range []string{"null", "true", `"x"`, `""`, "[]", "{}", "[null]", "[[]]", "-1", "0", "1", "2", "3",
		"255", "65535", "65536", "1.5", "1e3",
		"2147483647", "4294967295", "4294967296", "9007199254740991", "-9007199254740991", "9223372036854775807", "1e30",
		"-1e308", "1e999",
		`[0,0,0,0]`, `[1e38,1e38,1e38]`, `[0,1,2,3,4,5]`, `[1e-30,0,0]`, `[0,0,0,1e-30]`,
		`[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]`,
		`[1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38,1e38]`,
		`[-1,0,0,0,0,0,0,0,0,0,1e-20,0,0,0,0,1]`, `[3e38,0,0,0,0,1e-38,0,0,0,0,1,0,0,0,0,1]`} {
		out = append(out, json.RawMessage(s))
	}
	return out
}

// ReplaceRandom walks down from the root of a document and replaces one value on the path: by a hostile value, or by a
// small number, which may be a valid index. Or it removes the value.
func ReplaceRandom(at any, random *rand.Rand, values []json.RawMessage) {
	for {
		var next any
		var put func(any)
		switch v := at.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(v))
			if len(keys) == 0 {
				return
			}
			key := keys[random.IntN(len(keys))]
			next, put = v[key], func(x any) {
				v[key] = x
				if x == nil {
					delete(v, key)
				}
			}
		case []any:
			if len(v) == 0 {
				return
			}
			i := random.IntN(len(v))
			next, put = v[i], func(x any) { v[i] = x }
		default:
			return
		}
		_, isObject := next.(map[string]any)
		_, isList := next.([]any)
		if (isObject || isList) && random.IntN(8) > 0 {
			at = next
			continue
		}
		switch random.IntN(4) {
		case 0:
			put(nil)
		case 1:
			put(random.IntN(20))
		default:
			put(values[random.IntN(len(values))])
		}
		return
	}
}
