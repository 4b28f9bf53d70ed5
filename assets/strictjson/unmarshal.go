package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"skinlab/assets/fault"
)

// Options of [Unmarshal]. All may be nil.
type Options struct {
	// Enums are the enumerations among the types. A number type with a JSON form of its own must be one of them.
	Enums Enums
	// Complete asks for every number, text, object and enumeration whose tag has no omitempty. Lists and maps without
	// it are empty where they are left out, and never nil.
	Complete bool
	// Tolerate decides whether a faulty member may be left out; in points to the member's struct. It is called for the
	// innermost member first.
	Tolerate func(in any, name string, f *Fault) bool
	// Check is told when a struct is filled, and which names were there. Its error is one of the struct's place.
	Check func(in any, has func(name string) bool) error
	// Unknown is told the place of a member that no field takes.
	Unknown func(path string)
	// Inside is told each name in each object that is a member of the name Watch, however deep.
	Watch  string
	Inside func(name string)
	// Grow receives the number of bytes that the next element of a list takes. An error from it ends the reading.
	Grow func(bytes int) error
}

// Enums are enumerations, by type: their values by the JSON that stands for them in a file, as 5120 or "VEC3" with its
// quotes.
type Enums map[reflect.Type]map[string]uint64

// AddEnum adds an enumeration, its values by the JSON that stands for them.
func AddEnum[T ~uint8 | ~uint16](to Enums, values map[string]T) {
	row := map[string]uint64{}
	for text, v := range values {
		row[text] = uint64(v)
	}
	to[reflect.TypeFor[T]()] = row
}

// Fault is a value that does not fit its place in the Go type.
type Fault struct {
	Path   string // as nodes[3].scale; empty for the whole
	Found  []byte // the JSON there; nil where something is missing, or too long or short
	reason string
}

func (f *Fault) Error() string {
	if f.Path == "" {
		return "the whole " + f.reason
	}
	return fault.Shorten(f.Path) + " " + f.reason
}

// Unmarshal reads a JSON text into *v. Errors name the place, the value found and the value expected.
func Unmarshal(text []byte, v any, opt Options) error {
	if !json.Valid(text) {
		var syntax *json.SyntaxError
		err := json.Unmarshal(text, new(json.RawMessage))
		errors.As(err, &syntax)
		return fmt.Errorf("the JSON is invalid at byte %d: %w", syntax.Offset, err)
	}
	d := decoder{text: text, opt: opt, structs: map[reflect.Type]*structPlan{}}
	d.space()
	err := d.value(reflect.ValueOf(v).Elem())
	if f := (*Fault)(nil); errors.As(err, &f) {
		return fmt.Errorf("the JSON is invalid: %w", err)
	}
	return err
}

// decoder walks a text that is valid JSON.
type decoder struct {
	text    []byte
	at      int // the cursor
	path    []step
	opt     Options
	structs map[reflect.Type]*structPlan
}

// step is one step of a path: a name, or the index of an element where the name is empty.
type step struct {
	name  string
	index int
}

// place returns the path as text.
func (d *decoder) place() string {
	var b strings.Builder
	for _, s := range d.path {
		if s.name == "" {
			fmt.Fprintf(&b, "[%d]", s.index)
		} else {
			b.WriteString("." + s.name)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

func (d *decoder) fault(format string, args ...any) error {
	return &Fault{Path: d.place(), reason: fmt.Sprintf(format, args...)}
}

func (d *decoder) unexpected(found []byte, t reflect.Type) error {
	return &Fault{d.place(), found, fmt.Sprintf("is %s, expected %s", fault.Shorten(string(found)), d.expected(t))}
}

// value reads the value at the cursor, which is not null, into v and moves the cursor behind it.
func (d *decoder) value(v reflect.Value) error {
	t, first := v.Type(), d.text[d.at]
	kind := t.Kind()
	switch {
	case kind == reflect.Interface || t == reflect.TypeFor[json.RawMessage]():
		raw, err := d.skip("")
		v.Set(reflect.ValueOf(json.RawMessage(raw)))
		return err
	case kind == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return d.value(v.Elem())
	case kind == reflect.Struct && first == '{':
		return d.object(v)
	case kind == reflect.Map && first == '{':
		return d.table(v)
	case (kind == reflect.Slice || kind == reflect.Array) && first == '[':
		return d.list(v)
	}
	raw, err := d.skip("")
	if err != nil {
		return err
	}
	ok := false
	switch kind {
	case reflect.String:
		ok = first == '"'
		if ok {
			v.SetString(unquoted(raw))
		}
	case reflect.Bool:
		ok = first == 't' || first == 'f'
		v.SetBool(first == 't')
	case reflect.Float64:
		x, err := strconv.ParseFloat(string(raw), 64)
		ok = err == nil
		v.SetFloat(x)
	case reflect.Int:
		var n int64
		n, ok = integer(raw)
		v.SetInt(n)
	case reflect.Uint8, reflect.Uint16:
		var n uint64
		n, ok = d.unsigned(t, raw)
		v.SetUint(n)
	}
	if !ok {
		return d.unexpected(raw, t)
	}
	return nil
}

// integer reads a number without a fraction, within ±2⁵³: 3.0 and 1e3 are some too.
func integer(raw []byte) (int64, bool) {
	if v, err := strconv.ParseInt(string(raw), 10, 54); err == nil {
		return v, true
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	return int64(v), err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53
}

// unsigned returns the value of an unsigned integer type that stands in a file as raw.
func (d *decoder) unsigned(t reflect.Type, raw []byte) (uint64, bool) {
	values := d.values(t)
	if n, ok := values[string(raw)]; ok {
		return n, true
	}
	n, number := integer(raw)
	switch {
	case values == nil:
		return uint64(n), number && n >= 0 && !reflect.Zero(t).OverflowUint(uint64(n))
	case number:
		raw = strconv.AppendInt(nil, n, 10)
	default:
		raw = strconv.AppendQuote(nil, unquoted(raw))
	}
	value, ok := values[string(raw)]
	return value, ok
}

// values returns the values of an enumeration as files write them, nil for a type that is no enumeration.
func (d *decoder) values(t reflect.Type) map[string]uint64 {
	values := d.opt.Enums[t]
	if values == nil && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		panic(fmt.Sprintf("strictjson: the enumeration %v is not in Options.Enums", t))
	}
	return values
}

// expected names what a type is read from.
func (d *decoder) expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		switch t.Elem().Kind() {
		case reflect.Int:
			return "an array of integers"
		case reflect.Float64:
			return "an array of numbers"
		}
		return "an array"
	case reflect.Pointer:
		return d.expected(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "an integer below 2^53"
	case reflect.Uint8, reflect.Uint16:
		var all []string
		for text := range d.values(t) {
			all = append(all, strings.Trim(text, `"`))
		}
		if all == nil {
			return "an integer below " + strconv.Itoa(1<<t.Bits())
		}
		slices.Sort(all)
		return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
	}
	return "a number"
}

// list reads an array. An error about a number names its array.
func (d *decoder) list(v reflect.Value) error {
	t, start, n := v.Type(), d.at, 0
	if t.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(t, 0, 0))
	}
	for d.at++; d.more(']'); n++ {
		d.path = append(d.path, step{index: n})
		err := d.item(v, n)
		d.path = d.path[:len(d.path)-1]
		number := t.Elem().Kind() == reflect.Int || t.Elem().Kind() == reflect.Float64
		if f := (*Fault)(nil); number && errors.As(err, &f) {
			d.at = start
			raw, _ := d.skip("")
			return d.unexpected(raw, t)
		}
		if err != nil {
			return err
		}
	}
	if t.Kind() == reflect.Array && n != v.Len() {
		return d.fault("has %d numbers, expected %d", n, v.Len())
	}
	return nil
}

// item reads element n of a list.
func (d *decoder) item(v reflect.Value, n int) error {
	t := v.Type()
	switch {
	case d.text[d.at] == 'n':
		return d.unexpected([]byte("null"), t.Elem())
	case t.Kind() == reflect.Array && n >= v.Len(): // the length is a fault, later
		return d.value(reflect.New(t.Elem()).Elem())
	case t.Kind() == reflect.Slice:
		size := int(t.Elem().Size())
		if t.Elem().Kind() == reflect.Pointer {
			size += int(t.Elem().Elem().Size())
		}
		if d.opt.Grow != nil {
			if err := d.opt.Grow(size); err != nil {
				return err
			}
		}
		v.Grow(1)
		v.SetLen(n + 1)
	}
	return d.value(v.Index(n))
}

// table reads an object into a map.
func (d *decoder) table(v reflect.Value) error {
	item := v.Type().Elem()
	v.Set(reflect.MakeMap(v.Type()))
	return d.members(d.parent(), func(name string) error {
		if d.text[d.at] == 'n' && item.Kind() != reflect.Interface {
			return d.unexpected([]byte("null"), item)
		}
		value := reflect.New(item).Elem()
		err := d.value(value)
		v.SetMapIndex(reflect.ValueOf(name), value)
		return err
	})
}

// parent returns the name of the member whose value is at the cursor.
func (d *decoder) parent() string {
	if len(d.path) == 0 {
		return ""
	}
	return d.path[len(d.path)-1].name
}

// structPlan is what there is to know of a struct's fields.
type structPlan struct {
	fields   map[string]int // by name
	names    []string       // by field
	required []bool         // by field
	lists    []int          // the fields that are lists and maps, and never nil
}

func (d *decoder) plan(t reflect.Type) *structPlan {
	if p := d.structs[t]; p != nil {
		return p
	}
	p := &structPlan{fields: map[string]int{}, names: make([]string, t.NumField()), required: make([]bool, t.NumField())}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		p.fields[name], p.names[i] = i, name
		switch kind := t.Field(i).Type.Kind(); {
		case !d.opt.Complete || options == "omitempty" || kind == reflect.Array:
		case kind == reflect.Slice || kind == reflect.Map:
			p.lists = append(p.lists, i)
		default:
			p.required[i] = true
		}
	}
	d.structs[t] = p
	return p
}

// object reads an object into a struct.
func (d *decoder) object(v reflect.Value) error {
	p, in := d.plan(v.Type()), v.Addr().Interface()
	if own, ok := in.(json.Unmarshaler); ok { // it sets defaults
		if err := own.UnmarshalJSON([]byte("{}")); err != nil {
			return err
		}
	}
	has := make([]bool, len(p.names)) // by field
	err := d.members(d.parent(), func(name string) error {
		i, known := p.fields[name]
		if !known || d.text[d.at] == 'n' {
			return d.pass(p, name)
		}
		has[i] = true
		start := d.at
		err := d.value(v.Field(i))
		if f := (*Fault)(nil); errors.As(err, &f) && d.opt.Tolerate != nil && d.opt.Tolerate(in, name, f) {
			v.Field(i).SetZero()
			d.at = start
			_, err = d.skip(name)
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, required := range p.required {
		if required && !has[i] {
			return d.fault("has no %s", p.names[i])
		}
	}
	for _, i := range p.lists {
		if f := v.Field(i); f.IsNil() && f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		} else if f.IsNil() {
			f.Set(reflect.MakeMap(f.Type()))
		}
	}
	if d.opt.Check != nil {
		err = d.opt.Check(in, func(name string) bool {
			i, known := p.fields[name]
			return known && has[i]
		})
	}
	if err != nil {
		return d.fault("%v", err)
	}
	return nil
}

// pass skips a member that is null, or that no field takes.
func (d *decoder) pass(p *structPlan, name string) error {
	if _, known := p.fields[name]; !known {
		for _, want := range p.names {
			if want != "" && strings.EqualFold(want, name) { // encoding/json would take it for the field's
				return d.fault("is a name, expected %s", want)
			}
		}
		if d.opt.Unknown != nil {
			d.opt.Unknown(d.place())
		}
	}
	_, err := d.skip(name)
	return err
}

// members calls each for every member of an object, the cursor at its value. The object is itself a member of the name
// of.
func (d *decoder) members(of string, each func(name string) error) error {
	few, many := make([]string, 0, 16), map[string]bool(nil) // the names so far
	for d.at++; d.more('}'); {
		raw, _ := d.skip("")
		name := unquoted(raw)
		if many[name] || many == nil && slices.Contains(few, name) {
			return fmt.Errorf("the JSON is invalid at byte %d: an object has the name %q again, expected it once", d.at,
				fault.Shorten(name))
		}
		few = append(few, name)
		if many != nil {
			many[name] = true
		} else if len(few) == 64 { // from here on a map is faster
			many = map[string]bool{}
			for _, n := range few {
				many[n] = true
			}
		}
		if d.opt.Inside != nil && of == d.opt.Watch {
			d.opt.Inside(name)
		}
		d.space()
		d.at++ // the colon
		d.space()
		d.path = append(d.path, step{name: name})
		err := each(name)
		d.path = d.path[:len(d.path)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// more moves the cursor to the next name or item of an object or a list, or behind its end.
func (d *decoder) more(end byte) bool {
	d.space()
	if d.text[d.at] == ',' {
		d.at++
		d.space()
	}
	if d.text[d.at] == end {
		d.at++
		return false
	}
	return true
}

func (d *decoder) space() {
	for d.at < len(d.text) && d.text[d.at] <= ' ' {
		d.at++
	}
}

// skip moves the cursor behind the value at it, which is a member of the name of, and returns the value.
func (d *decoder) skip(of string) ([]byte, error) {
	start := d.at
	var err error
	switch d.text[d.at] {
	case '{':
		err = d.members(of, func(name string) error {
			_, err := d.skip(name)
			return err
		})
	case '[':
		for d.at++; err == nil && d.more(']'); {
			_, err = d.skip("")
		}
	case '"':
		for d.at++; d.text[d.at] != '"'; d.at++ {
			if d.text[d.at] == '\\' {
				d.at++
			}
		}
		d.at++
	default:
		for d.at < len(d.text) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(d.text[d.at])) {
			d.at++
		}
	}
	return d.text[start:d.at:d.at], err
}

// unquoted returns the contents of a quoted text, and any other value unchanged.
func unquoted(raw []byte) (s string) {
	switch {
	case raw[0] != '"':
		return string(raw)
	case bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw):
		return string(raw[1 : len(raw)-1])
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(err) // it has been checked
	}
	return s
}
