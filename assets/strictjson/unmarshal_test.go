package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// shade is an enumeration.
type shade uint8

func (s *shade) UnmarshalJSON([]byte) error { return errors.New("is not called") }

var shades = func() Enums {
	all := Enums{}
	AddEnum(all, map[string]shade{`"LIGHT"`: 0, `"DARK"`: 1})
	return all
}()

// thing has a field of each kind.
type thing struct {
	Name    string         `json:"name"`
	On      bool           `json:"on,omitempty"`
	Count   int            `json:"count,omitempty"`
	Size    float64        `json:"size,omitempty"`
	At      [3]float64     `json:"at"`
	Weights []float64      `json:"weights,omitempty"`
	Next    []int          `json:"next"`
	Parts   []*thing       `json:"parts,omitempty"`
	By      map[string]int `json:"by,omitempty"`
	Index   *int           `json:"index,omitempty"`
	Shade   shade          `json:"shade,omitempty"`
	Code    uint16         `json:"code,omitempty"`
	Extras  any            `json:"extras,omitempty"`
}

func TestUnmarshal(t *testing.T) {
	seven := 7
	text := `{ "name" : "a\u00e9\"" , "on":true,"count":1e3,"size":-2.5e-1,"at":[1,2,3],"weights":[],"parts":[{"name":"b",
		"index":7.0,"at":null}],"by":{"x":1},"shade":"D\u0041RK","code":65535,"extras":{"n":12345678901234567890}}`
	want := thing{Name: `aé"`, On: true, Count: 1000, Size: -0.25, At: [3]float64{1, 2, 3}, Weights: []float64{}, Next: []int{},
		Parts: []*thing{{Name: "b", Index: &seven, Next: []int{}}}, By: map[string]int{"x": 1}, Shade: 1, Code: 65535,
		Extras: json.RawMessage(`{"n":12345678901234567890}`)}
	var got thing
	if err := Unmarshal([]byte(text), &got, Options{Enums: shades, Complete: true}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v, expected %+v", err, got, want)
	}
}

// TestRefused: each text is wrong in one thing, and the error names its place.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		``:                                         "invalid at byte 0",
		`{"name":"a"} x`:                           "invalid at byte 14",
		`[]`:                                       "the whole is [], expected an object",
		`{}`:                                       "the whole has no name",
		`{"name":null}`:                            "the whole has no name",
		`{"name":7}`:                               "name is 7, expected a text",
		`{"name":"a","Name":"b"}`:                  "Name is a name, expected name",
		`{"name":"a","name":"b"}`:                  `an object has the name "name" again`,
		`{"name":"a","n\u0061me":1}`:               `an object has the name "name" again`,
		`{"name":"a","x":{"y":[{"z":1,"z":2}]}}`:   `an object has the name "z" again`,
		`{"name":"a","on":0}`:                      "on is 0, expected true or false",
		`{"name":"a","count":1.5}`:                 "count is 1.5, expected an integer below 2^53",
		`{"name":"a","count":9007199254740992}`:    "count is 9007199254740992",
		`{"name":"a","count":"1"}`:                 `count is "1"`,
		`{"name":"a","size":1e999}`:                "size is 1e999, expected a number",
		`{"name":"a","at":[1,2]}`:                  "at has 2 numbers, expected 3",
		`{"name":"a","at":[1,2,3,"x"]}`:            `at is [1,2,3,"x"], expected an array of numbers`,
		`{"name":"a","at":[1,2,3,4]}`:              "at has 4 numbers, expected 3",
		`{"name":"a","at":[1,null,3]}`:             "at is [1,null,3], expected an array of numbers",
		`{"name":"a","next":[0.5]}`:                "next is [0.5], expected an array of integers",
		`{"name":"a","next":{}}`:                   "next is {}, expected an array of integers",
		`{"name":"a","parts":[{"name":"b"},null]}`: "parts[1] is null, expected an object",
		`{"name":"a","parts":[{"name":"b","parts":[{}]}]}`:  "parts[0].parts[0] has no name",
		`{"name":"a","by":{"x":null}}`:                      "by.x is null, expected an integer",
		`{"name":"a","by":{"x":1,"x":2}}`:                   `an object has the name "x" again`,
		`{"name":"a","shade":"GREY"}`:                       `shade is "GREY", expected DARK or LIGHT`,
		`{"name":"a","shade":1}`:                            "shade is 1, expected DARK or LIGHT",
		`{"name":"a","code":65536}`:                         "code is 65536, expected an integer below 65536",
		`{"name":"a","extras":{"b":1,"b":2}}`:               `an object has the name "b" again`,
		`{"name":"a","x":` + strings.Repeat("[", 1<<20):     "invalid at byte",
		`{"name":"a","parts":[{"name":"b"}],"parts":[]}`:    `"parts" again`,
		`{"name":"a","parts":[{"name":"b","at":[1]}],"x":}`: "invalid at byte",
	} {
		var got thing
		if err := Unmarshal([]byte(text), &got, Options{Enums: shades, Complete: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, expected %q", text, err, want)
		}
	}
}

// TestTold: what is tolerated is left out, and what no field takes is told with its place.
func TestTold(t *testing.T) {
	var tolerated, unknown, inside []string
	text := `{"name":"a","size":"x","odd":1,"parts":[{"name":"b","odd":{"ext":{"E1":{"ext":{"E2":1}}}}}],"extras":{"ext":{"E3":1}}}`
	var got thing
	err := Unmarshal([]byte(text), &got, Options{
		Enums: shades,
		Tolerate: func(in any, name string, f *Fault) bool {
			tolerated = append(tolerated, f.Error())
			return in == &got && name == "size" && string(f.Found) == `"x"`
		},
		Unknown: func(path string) { unknown = append(unknown, path) },
		Watch:   "ext", Inside: func(name string) { inside = append(inside, name) },
	})
	if err != nil || got.Size != 0 || len(got.Parts) != 1 {
		t.Errorf("%v: %+v", err, got)
	}
	for _, c := range []struct{ got, want []string }{{tolerated, []string{`size is "x", expected a number`}},
		{unknown, []string{"odd", "parts[0].odd"}}, {inside, []string{"E1", "E2", "E3"}}} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%q, expected %q", c.got, c.want)
		}
	}
}

// TestManyFields: the last of 70 required fields is missed, and found, as the first is.
func TestManyFields(t *testing.T) {
	var fields []reflect.StructField
	var text []string
	for i := range 70 {
		name := fmt.Sprintf("f%d", i)
		fields = append(fields, reflect.StructField{Name: "F" + name, Type: reflect.TypeFor[int](),
			Tag: reflect.StructTag(fmt.Sprintf("json:%q", name))})
		text = append(text, fmt.Sprintf("%q:%d", name, i))
	}
	many := reflect.New(reflect.StructOf(fields))
	for n, want := range map[int]string{70: "", 69: "has no f69"} {
		err := Unmarshal([]byte("{"+strings.Join(text[:n], ",")+"}"), many.Interface(), Options{Complete: true})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d fields: %v, expected %q", n, err, want)
		}
	}
	if got := many.Elem().Field(69).Int(); got != 69 {
		t.Errorf("field 69 is %d", got)
	}
}

// TestForgottenEnum: an enumeration that the caller has not listed is the caller's bug.
func TestForgottenEnum(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "shade") {
			t.Errorf("%v", r)
		}
	}()
	_ = Unmarshal([]byte(`{"name":"a","shade":"DARK"}`), new(thing), Options{})
}

// FuzzUnmarshal: what is read is what encoding/json reads, whatever the text.
func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"name":"a\u00e9","on":true,"count":3,"size":2.5,"at":[1,2,3],"next":[1],"parts":[{"name":"b"}],"by":{"x":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want struct {
			Name  string       `json:"name"`
			Size  float64      `json:"size"`
			At    [3]float64   `json:"at"`
			Next  []*[]float64 `json:"next"`
			Parts []struct {
				On bool `json:"on"`
			} `json:"parts"`
			By map[string]string `json:"by"`
		}
		if Unmarshal(text, &got, Options{}) != nil {
			return
		}
		if err := json.Unmarshal(text, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, encoding/json: %v, %+v", text, got, err, want)
		}
	})
}
