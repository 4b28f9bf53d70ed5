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

// Options are what the caller of [Unmarshal] is asked and told. All may be nil.
type Options struct {
	// Complete asks for every number, text, object and enumeration whose tag has no omitempty; lists and maps without it
	// are empty where they are left out, and never nil.
	Complete bool
	// Tolerate is asked whether a member may be left out that is not what it should be; in points to its struct. It is
	// asked for the innermost member first.
	Tolerate func(in any, name string, f *Fault) bool
	// Check is told when a struct is filled, and which names were there. Its error is one of the struct's place.
	Check func(in any, has func(name string) bool) error
	// Unknown is told the place of a member that no field takes.
	Unknown func(path string)
	// Inside is told each name in each object that is a member of the name Watch, however deep.
	Watch  string
	Inside func(name string)
	// Grow is told how many bytes the next element of a list takes; its error ends the reading.
	Grow func(bytes int) error
}

// Fault is a value that is not what its place in the Go type asks for.
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

// Unmarshal reads a JSON text into *v. Errors name the place, what is there and what was expected.
func Unmarshal(text []byte, v any, opt Options) error {
	if !json.Valid(text) {
		var syntax *json.SyntaxError
		err := json.Unmarshal(text, new(json.RawMessage))
		errors.As(err, &syntax)
		return fmt.Errorf("the JSON is invalid at byte %d: %w", syntax.Offset, err)
	}
	d := decoder{text: text, opt: opt, structs: map[reflect.Type]*structPlan{}, enums: map[reflect.Type]map[string]uint64{}}
	d.space()
	err := d.value(reflect.ValueOf(v).Elem())
	var f *Fault
	if errors.As(err, &f) {
		return fmt.Errorf("the JSON is invalid: %w", err)
	}
	return err
}

// decoder walks a text that is valid JSON.
type decoder struct {
	text    []byte
	at      int
	path    []step
	opt     Options
	structs map[reflect.Type]*structPlan
	enums   map[reflect.Type]map[string]uint64 // what the values of an enumeration are in a file
}

// step is one step of a path: a name, or the index of an element where the name is empty.
type step struct {
	name  string
	index int
}

// within runs one step deeper.
func (d *decoder) within(s step, run func() error) error {
	d.path = append(d.path, s)
	err := run()
	d.path = d.path[:len(d.path)-1]
	return err
}

func (d *decoder) place() string {
	var b strings.Builder
	for _, s := range d.path {
		switch {
		case s.name == "":
			fmt.Fprintf(&b, "[%d]", s.index)
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

func (d *decoder) fault(format string, args ...any) error {
	return &Fault{Path: d.place(), reason: fmt.Sprintf(format, args...)}
}

func (d *decoder) unexpected(found []byte, expected string) error {
	return &Fault{d.place(), found, fmt.Sprintf("is %s, expected %s", fault.Shorten(string(found)), expected)}
}

// value reads the value at the cursor, which is not null, into v and moves the cursor behind it.
func (d *decoder) value(v reflect.Value) error {
	t, first := v.Type(), d.text[d.at]
	switch {
	case t.Kind() == reflect.Interface || t == reflect.TypeFor[json.RawMessage]():
		raw, err := d.skip("")
		v.Set(reflect.ValueOf(json.RawMessage(raw)))
		return err
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return d.value(v.Elem())
	case t.Kind() == reflect.Struct && first == '{':
		return d.object(v)
	case t.Kind() == reflect.Map && first == '{':
		return d.table(v)
	case (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && first == '[':
		return d.list(v)
	}
	start := d.at
	raw, err := d.skip("")
	if err != nil {
		return err
	}
	ok := false
	switch t.Kind() {
	case reflect.String:
		if ok = first == '"'; ok {
			v.SetString(string(unquoted(raw)))
		}
	case reflect.Bool:
		if ok = first == 't' || first == 'f'; ok {
			v.SetBool(first == 't')
		}
	case reflect.Float64:
		var x float64
		if x, err = strconv.ParseFloat(string(raw), 64); err == nil && first != '"' {
			ok = true
			v.SetFloat(x)
		}
	case reflect.Int:
		var n int64
		if n, ok = integer(raw); ok {
			v.SetInt(n)
		}
	case reflect.Uint8, reflect.Uint16:
		var n uint64
		if n, ok = d.unsigned(t, raw); ok {
			v.SetUint(n)
		}
	}
	if !ok {
		return d.unexpected(d.text[start:d.at], d.expected(t))
	}
	return nil
}

// integer reads a number without a fraction, within ±2⁵³.
func integer(raw []byte) (int64, bool) {
	if v, err := strconv.ParseInt(string(raw), 10, 54); err == nil {
		return v, true
	}
	// 3.0 and 1e3 are integers too.
	v, err := strconv.ParseFloat(string(raw), 64)
	return int64(v), err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53
}

// unsigned returns the value of an unsigned integer type that stands in a file as raw.
func (d *decoder) unsigned(t reflect.Type, raw []byte) (uint64, bool) {
	n, number := integer(raw)
	values := d.values(t)
	switch {
	case values == nil:
		return uint64(n), number && n >= 0 && !reflect.Zero(t).OverflowUint(uint64(n))
	case number:
		raw = strconv.AppendInt(nil, n, 10)
	default:
		raw = strconv.AppendQuote(nil, string(unquoted(raw)))
	}
	value, ok := values[string(raw)]
	return value, ok
}

// values returns what the values of an enumeration are in a file, nil for a type that is none.
func (d *decoder) values(t reflect.Type) map[string]uint64 {
	if values, ok := d.enums[t]; ok {
		return values
	}
	p := reflect.New(t)
	if _, ok := p.Interface().(json.Marshaler); !ok {
		return nil
	}
	values := map[string]uint64{}
	for n := uint64(0); ; n++ {
		p.Elem().SetUint(n)
		name := fmt.Sprint(p.Elem().Interface())
		if strings.Contains(name, "(") { // what stringer writes of a value past the last
			break
		}
		text, err := json.Marshal(p.Interface())
		if err != nil {
			panic(fmt.Sprintf("strictjson: %v: %v", t, err))
		}
		if name != "UNDEFINED" {
			values[string(text)] = n
		}
	}
	d.enums[t] = values
	return values
}

// expected names what a type is read from.
func (d *decoder) expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		if item := d.expected(t.Elem()); t.Elem().Kind() == reflect.Int || t.Elem().Kind() == reflect.Float64 {
			return "an array of " + strings.Fields(item)[1] + "s"
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

// list reads an array.
func (d *decoder) list(v reflect.Value) error {
	t, start, n := v.Type(), d.at, 0
	if t.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(t, 0, 0))
	}
	item := func() error {
		switch {
		case t.Kind() == reflect.Array && n >= v.Len():
			_, err := d.skip("")
			return err
		case d.text[d.at] == 'n':
			return d.unexpected([]byte("null"), d.expected(t.Elem()))
		case t.Kind() == reflect.Slice:
			if err := d.grow(t.Elem()); err != nil {
				return err
			}
			v.Grow(1)
			v.SetLen(n + 1)
		}
		return d.value(v.Index(n))
	}
	for d.at++; d.more(']'); n++ {
		if err := d.within(step{index: n}, item); err != nil {
			if k := t.Elem().Kind(); k != reflect.Int && k != reflect.Float64 {
				return err
			}
			d.at = start
			raw, err := d.skip("")
			if err != nil {
				return err
			}
			return d.unexpected(raw, d.expected(t))
		}
	}
	if t.Kind() == reflect.Array && n != v.Len() {
		return d.fault("has %d numbers, expected %d", n, v.Len())
	}
	return nil
}

// grow tells how much an element takes, and what it points to.
func (d *decoder) grow(t reflect.Type) error {
	if d.opt.Grow == nil {
		return nil
	}
	size := t.Size()
	if t.Kind() == reflect.Pointer {
		size += t.Elem().Size()
	}
	return d.opt.Grow(int(size))
}

// table reads an object into a map.
func (d *decoder) table(v reflect.Value) error {
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	return d.members(d.parent(), func(name string, _ int) error {
		if d.text[d.at] == 'n' && t.Elem().Kind() != reflect.Interface {
			return d.unexpected([]byte("null"), d.expected(t.Elem()))
		}
		item := reflect.New(t.Elem()).Elem()
		err := d.value(item)
		v.SetMapIndex(reflect.ValueOf(name), item)
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
	fields   map[string]int
	names    []string
	required []bool
	lists    []int // lists and maps that are empty where they are left out, not nil
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
	p := d.plan(v.Type())
	in := v.Addr().Interface()
	if own, ok := in.(json.Unmarshaler); ok { // it sets defaults
		if err := own.UnmarshalJSON([]byte("{}")); err != nil {
			return err
		}
	}
	var has uint64 // by field
	err := d.members(d.parent(), func(name string, start int) error {
		i, known := p.fields[name]
		switch {
		case !known:
			return d.unknown(p, name)
		case d.text[d.at] == 'n':
			_, err := d.skip("")
			return err
		}
		has |= 1 << i
		err := d.value(v.Field(i))
		var f *Fault
		if errors.As(err, &f) && d.opt.Tolerate != nil && d.opt.Tolerate(in, name, f) {
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
		if required && has&(1<<i) == 0 {
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
	if d.opt.Check == nil {
		return nil
	}
	err = d.opt.Check(in, func(name string) bool { return has&(1<<p.fields[name]) != 0 })
	if err != nil {
		return d.fault("%v", err)
	}
	return nil
}

// unknown passes a member that no field takes.
func (d *decoder) unknown(p *structPlan, name string) error {
	for _, want := range p.names {
		if want != "" && strings.EqualFold(want, name) { // encoding/json would take it for the field's
			return d.fault("is a name, expected %s", want)
		}
	}
	if d.opt.Unknown != nil {
		d.opt.Unknown(d.place())
	}
	_, err := d.skip(name)
	return err
}

// more moves the cursor to the next name or item, or behind the end, of an object or a list.
func (d *decoder) more(end byte) bool {
	if d.space(); d.text[d.at] == ',' {
		d.at++
		d.space()
	}
	if d.text[d.at] == end {
		d.at++
		return false
	}
	return true
}

// members calls each for the members of an object that is itself a member of the name of, the cursor at the value, which
// starts there.
func (d *decoder) members(of string, each func(name string, start int) error) error {
	seen := names{few: make([]string, 0, 16)}
	for d.at++; d.more('}'); {
		start := d.at
		d.quotes()
		name := string(unquoted(d.text[start:d.at]))
		if seen.again(name) {
			return fmt.Errorf("the JSON is invalid at byte %d: an object has the name %q again, expected it once", d.at,
				fault.Shorten(name))
		}
		if d.opt.Inside != nil && of == d.opt.Watch {
			d.opt.Inside(name)
		}
		d.space()
		d.at++ // the colon
		d.space()
		start = d.at
		if err := d.within(step{name: name}, func() error { return each(name, start) }); err != nil {
			return err
		}
	}
	return nil
}

// names finds a name that comes again.
type names struct {
	few  []string
	many map[string]bool
}

func (s *names) again(name string) bool {
	if s.many == nil {
		if slices.Contains(s.few, name) {
			return true
		}
		if s.few = append(s.few, name); len(s.few) == 32 {
			s.many = map[string]bool{}
			for _, n := range s.few {
				s.many[n] = true
			}
		}
		return false
	}
	again := s.many[name]
	s.many[name] = true
	return again
}

func (d *decoder) space() {
	for d.at < len(d.text) && d.text[d.at] <= ' ' {
		d.at++
	}
}

// quotes moves the cursor behind the text in quotes at it.
func (d *decoder) quotes() {
	for d.at++; d.text[d.at] != '"'; d.at++ {
		if d.text[d.at] == '\\' {
			d.at++
		}
	}
	d.at++
}

// skip moves the cursor behind the value at it, which is a member of the name of, and returns it.
func (d *decoder) skip(of string) ([]byte, error) {
	start := d.at
	var err error
	switch d.text[d.at] {
	case '{':
		err = d.members(of, func(name string, _ int) error {
			_, err := d.skip(name)
			return err
		})
	case '[':
		for d.at++; err == nil && d.more(']'); {
			_, err = d.skip("")
		}
	case '"':
		d.quotes()
	default:
		for d.at < len(d.text) && bytes.IndexByte([]byte(",]} \t\r\n"), d.text[d.at]) < 0 {
			d.at++
		}
	}
	return d.text[start:d.at:d.at], err
}

// unquoted returns what a text in quotes says.
func unquoted(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return raw
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(err) // it has been checked
	}
	return []byte(s)
}
