package command

// This file makes mutants: files that were right, or nearly, and in which chance changed something that a glTF reader,
// a method or a fit may trip over. All chance comes from one source, so that a mutant is known by its seed and number.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// gltfFile is a glTF file taken apart: its JSON, and the binary chunk of a GLB (nil for a .gltf).
type gltfFile struct {
	doc any
	bin []byte
}

// Marks stand in the JSON where encoding/json cannot write what a mutant holds: a literal that is no JSON value, and a
// key that is there twice.
const (
	literalMark   = "\uE000literal:"
	duplicateMark = "\uE000"
)

var literal = regexp.MustCompile(`"` + literalMark + `([^"]*)"`)

// parseGLTF takes a file apart; nil where it is none.
func parseGLTF(data []byte) *gltfFile {
	text, f := data, &gltfFile{}
	if bytes.HasPrefix(data, []byte("glTF")) && len(data) >= 20 {
		n := int(binary.LittleEndian.Uint32(data[12:]))
		if n < 0 || 20+n > len(data) {
			return nil
		}
		text, f.bin = data[20:20+n], []byte{}
		if len(data) >= 28+n {
			f.bin = bytes.Clone(data[28+n:])
		}
	}
	if json.Unmarshal(text, &f.doc) != nil {
		return nil
	}
	return f
}

// bytes puts the file together again.
func (f *gltfFile) bytes() []byte {
	text, err := json.Marshal(f.doc)
	if err != nil {
		panic(err)
	}
	text = bytes.ReplaceAll(literal.ReplaceAll(text, []byte("$1")), []byte(duplicateMark), nil)
	if f.bin == nil {
		return text
	}
	text = append(text, strings.Repeat(" ", -len(text)&3)...)
	out := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(28+len(text)+len(f.bin)))
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "JSON"...)
	out = append(binary.LittleEndian.AppendUint32(append(out, text...), uint32(len(f.bin))), "BIN\x00"...)
	return append(out, f.bin...)
}

// mutations are what chance may change in a file, each with its share.
var mutations = []struct {
	share int
	apply func(*rand.Rand, *gltfFile)
}{
	{25, func(r *rand.Rand, f *gltfFile) { mutateValue(r, f.doc, func(v any) { f.doc = v }) }},
	{15, mutateExtras},
	{22, mutateNode},
	{24, mutateNumbers},
	{12, mutateTimes},
	{10, mutateCopies},
}

// mutate returns a mutant of a glTF file: one to three changes, or now and then damaged bytes.
func mutate(r *rand.Rand, data []byte) []byte {
	f := parseGLTF(data)
	if f == nil || r.IntN(16) == 0 {
		return mutateBytes(r, data)
	}
	all := 0
	for _, m := range mutations {
		all += m.share
	}
	for changes := 1 + r.IntN(2)*r.IntN(3); changes > 0; changes-- {
		at := r.IntN(all)
		for _, m := range mutations {
			at -= m.share
			if at < 0 {
				m.apply(r, f)
				break
			}
		}
	}
	return f.bytes()
}

// oneOf returns one of several values.
func oneOf[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// extreme numbers: the edges of integers, of float32 and float64, and what is no number in JSON.
func extremeNumber(r *rand.Rand) any {
	return oneOf[any](r, 0., -1., 1., 2., 3., 255., 256., 65535., 65536., 5121., 5123., 5125., 5126., 2147483647.,
		2147483648., 4294967295., 9007199254740993., 9.3e18, -9.3e18, 1e-7, 1e-12, 1e-30, 1e-45, 1e-300, 1e6, 1e12, 1e18,
		1e20, 1e30, 1e38, -1e38, 3.5e38, 1e308, 0.5, -0.5, literalMark+"NaN", literalMark+"1e999", literalMark+"-0",
		literalMark+"1e-999")
}

// mutateValue walks from a JSON value down by chance and changes what it comes to. Set puts a new value in its place.
func mutateValue(r *rand.Rand, v any, set func(any)) {
	stays := r.IntN(6) == 0
	switch x := v.(type) {
	case map[string]any:
		if len(x) > 0 && !stays {
			key := oneOf(r, slices.Sorted(maps.Keys(x))...)
			mutateValue(r, x[key], func(v any) { x[key] = v })
			return
		}
		mutateObject(r, x, set)
	case []any:
		if len(x) > 0 && !stays {
			i := r.IntN(len(x))
			mutateValue(r, x[i], func(v any) { x[i] = v })
			return
		}
		mutateList(r, x, set)
	case float64:
		set(oneOf(r, any(x+1), any(x-1), any(-x), any(x*2), any(x*1e-6), extremeNumber(r), extremeNumber(r), extremeNumber(r),
			otherType(r)))
	case string:
		set(oneOf[any](r, "", "SCALAR", "VEC3", "VEC4", "MAT4", "LINEAR", "STEP", "CUBICSPLINE", "translation", "rotation",
			"scale", "weights", "POSITION", "JOINTS_0", "KHR_draco_mesh_compression", "../../x.bin", "data:,", "\xff\xfe",
			x+x, x+". And so on",
			"data:application/octet-stream;base64,AAAA", strings.Repeat(x+"long", 5000), otherType(r)))
	case bool:
		set(oneOf(r, any(!x), otherType(r)))
	default:
		set(otherType(r))
	}
}

func otherType(r *rand.Rand) any {
	return oneOf[any](r, nil, map[string]any{}, []any{}, []any{nil}, []any{1., 2., 3., 4.}, "7", true, 1.5)
}

func mutateObject(r *rand.Rand, x map[string]any, set func(any)) {
	keys := slices.Sorted(maps.Keys(x))
	if len(keys) == 0 || r.IntN(6) == 0 {
		set(otherType(r))
		return
	}
	a, b := oneOf(r, keys...), oneOf(r, keys...)
	switch r.IntN(4) {
	case 0:
		delete(x, a)
	case 1:
		x[a], x[b] = x[b], x[a]
	case 2:
		x[duplicateMark+a] = x[b]
	case 3:
		x[oneOf(r, "matrix", "scale", "sparse", "targets", "weights", "JOINTS_1", "WEIGHTS_1", "byteStride", "normalized",
			"mode", "uri")] = oneOf[any](r, x[a], extremeNumber(r), []any{1., 0., 1.})
	}
}

func mutateList(r *rand.Rand, x []any, set func(any)) {
	if len(x) == 0 || r.IntN(8) == 0 {
		set(otherType(r))
		return
	}
	a, b := r.IntN(len(x)), r.IntN(len(x))
	switch r.IntN(6) {
	case 0:
		set(slices.Delete(x, a, a+1))
	case 1:
		set(append(x, clone(x[a])))
	case 2:
		x[a], x[b] = x[b], x[a]
	case 3:
		set(x[:a])
	case 4:
		x[a] = clone(x[b])
	case 5:
		x[a] = oneOf[any](r, nil, extremeNumber(r))
	}
}

// clone copies a JSON value, so that a later change of one copy leaves the other.
func clone(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range x {
			out[k] = clone(v)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, v := range x {
			out[i] = clone(v)
		}
		return out
	}
	return v
}

// list returns a list of the document, as far as it is one.
func (f *gltfFile) list(name string) []any {
	doc, _ := f.doc.(map[string]any)
	all, _ := doc[name].([]any)
	return all
}

// objectOf returns one object of a list of the document.
func (f *gltfFile) objectOf(r *rand.Rand, name string) map[string]any {
	all := f.list(name)
	if len(all) == 0 {
		return nil
	}
	one, _ := all[r.IntN(len(all))].(map[string]any)
	return one
}

// mutateExtras changes what a fit has written under a skin's extras.skinlab; of other files any value.
func mutateExtras(r *rand.Rand, f *gltfFile) {
	if skin := f.objectOf(r, "skins"); skin != nil {
		if extras, ok := skin["extras"].(map[string]any); ok && extras["skinlab"] != nil {
			mutateValue(r, extras["skinlab"], func(v any) { extras["skinlab"] = v })
			return
		}
	}
	mutateValue(r, f.doc, func(v any) { f.doc = v })
}

// mutateNode gives a node a transform that is allowed and rare: flat, mirrored, tiny, huge or far away.
func mutateNode(r *rand.Rand, f *gltfFile) {
	node := f.objectOf(r, "nodes")
	if node == nil {
		return
	}
	number := func() any {
		return oneOf[any](r, 0., 1., 1., -1., 1e-12, 1e-30, 1e-38, 1e6, 1e12, 1e18, 1e20, 1e30, -1e20, 0.01, r.NormFloat64())
	}
	three := func() []any { return []any{number(), number(), number()} }
	x := number()
	switch r.IntN(6) {
	case 0:
		node["scale"] = []any{x, x, x}
	case 1:
		node["scale"] = []any{x, 1., 1.}
	case 2:
		node["scale"] = three()
	case 3:
		node["translation"] = three()
	case 4:
		node["rotation"] = append(three(), number())
	case 5:
		delete(node, "translation")
		delete(node, "rotation")
		delete(node, "scale")
		matrix := []any{1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.}
		for range 1 + r.IntN(3) {
			matrix[r.IntN(16)] = number()
		}
		node["matrix"] = matrix
	}
}

// array is where the numbers of an accessor lie in the binary chunk.
type array struct {
	bin                           []byte
	count, width, stride, of, len int // of is the component type, len its bytes
}

// arrayOf finds the numbers of an accessor; ok is false where the file does not say that it has any.
func (f *gltfFile) arrayOf(accessor map[string]any) (a array, ok bool) {
	integer := func(o map[string]any, key string) int {
		x, _ := o[key].(float64)
		return int(max(0, min(x, 1<<31)))
	}
	views := f.list("bufferViews")
	at, isNumber := accessor["bufferView"].(float64)
	if !isNumber || !(at >= 0 && at < float64(len(views))) {
		return a, false
	}
	view, _ := views[int(at)].(map[string]any)
	a.of = integer(accessor, "componentType")
	a.len = map[int]int{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}[a.of]
	shape, _ := accessor["type"].(string)
	a.width = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[shape]
	a.count, a.stride = integer(accessor, "count"), a.len*a.width
	if s := integer(view, "byteStride"); s > 0 {
		a.stride = s
	}
	start := integer(view, "byteOffset") + integer(accessor, "byteOffset")
	if a.stride == 0 || a.count == 0 || start+a.stride*(a.count-1)+a.len*a.width > len(f.bin) {
		return a, false
	}
	a.bin = f.bin[start:]
	return a, true
}

func (a *array) at(element, component int) []byte {
	return a.bin[element*a.stride+component*a.len:][:a.len]
}

// set writes a number; integers take its low bits.
func (a *array) set(element, component int, x float64) {
	b := a.at(element, component)
	switch {
	case a.of == 5126:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x)))
	case a.len == 4:
		binary.LittleEndian.PutUint32(b, uint32(int64(x)))
	case a.len == 2:
		binary.LittleEndian.PutUint16(b, uint16(int64(x)))
	default:
		b[0] = byte(int64(x))
	}
}

// get reads a float32; of integers the low byte, which is a number as good as any.
func (a *array) get(element, component int) float64 {
	if b := a.at(element, component); a.of == 5126 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return float64(a.at(element, component)[0])
}

// each rewrites every number.
func (a *array) each(rewrite func(x float64) float64) {
	for e := range a.count {
		for c := range a.width {
			a.set(e, c, rewrite(a.get(e, c)))
		}
	}
}

// mutateNumbers changes what an accessor holds: single numbers, whole elements or all of them.
func mutateNumbers(r *rand.Rand, f *gltfFile) {
	a, ok := f.arrayOf(f.objectOf(r, "accessors"))
	if !ok {
		return
	}
	number := func() float64 {
		return oneOf(r, 0, 1, -1, 2, 255, 65535, 1e-7, 1e-12, 1e-30, 1e-38, 1e-45, 1e6, 1e12, 1e18, 1e20, 1e30, 3.4e38,
			-3.4e38, math.NaN(), math.Inf(1), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
	}
	x := number()
	switch r.IntN(7) {
	case 0, 1: // a few numbers
		for range 1 + r.IntN(4) {
			a.set(r.IntN(a.count), r.IntN(a.width), number())
		}
	case 2: // an element
		e := r.IntN(a.count)
		for c := range a.width {
			a.set(e, c, x)
		}
	case 3: // all scaled
		x = oneOf(r, 0, -1, 1e-30, 1e-12, 1e-6, 100, 1e6, 1e12, 1e20, 1e30)
		a.each(func(y float64) float64 { return x * y })
	case 4: // all moved
		x = oneOf(r, 1, 1e4, 1e7, 1e12, 1e20, 1e30)
		a.each(func(y float64) float64 { return x + y })
	case 5: // all like the first
		for e := range a.count {
			for c := range a.width {
				a.set(e, c, a.get(0, c))
			}
		}
	case 6: // shuffled
		r.Shuffle(a.count, func(i, j int) {
			for c := range a.width {
				p, q := a.at(i, c), a.at(j, c)
				for b := range p {
					p[b], q[b] = q[b], p[b]
				}
			}
		})
	}
}

// mutateTimes changes when the keys of an animation are, or how it goes on between them.
func mutateTimes(r *rand.Rand, f *gltfFile) {
	animation := f.objectOf(r, "animations")
	samplers, _ := animation["samplers"].([]any)
	if len(samplers) == 0 {
		return
	}
	sampler, _ := samplers[r.IntN(len(samplers))].(map[string]any)
	if sampler == nil {
		return
	}
	at, _ := sampler["input"].(float64)
	accessors := f.list("accessors")
	if !(at >= 0 && int(at) < len(accessors)) {
		return
	}
	accessor, _ := accessors[int(at)].(map[string]any)
	a, ok := f.arrayOf(accessor)
	if !ok {
		return
	}
	first, far := a.get(0, 0), oneOf(r, 1, 100, 1e4, 1e6, 1e12, 1e18, 1e30)
	switch r.IntN(8) {
	case 0: // reversed
		for i := range a.count / 2 {
			x, y := a.get(i, 0), a.get(a.count-1-i, 0)
			a.set(i, 0, y)
			a.set(a.count-1-i, 0, x)
		}
	case 1: // one twice
		if a.count > 1 {
			i := 1 + r.IntN(a.count-1)
			a.set(i, 0, a.get(i-1, 0))
		}
	case 2: // a longer clip
		a.each(func(x float64) float64 { return x * far })
	case 3: // one that begins late
		a.each(func(x float64) float64 { return x + far })
	case 4: // one that begins before 0
		a.each(func(x float64) float64 { return x - 1 })
	case 5: // keys as close as float32 can tell
		for i := range a.count {
			a.set(i, 0, first)
			first = float64(math.Nextafter32(float32(first), math.MaxFloat32))
		}
	case 6: // a last key far away
		a.set(a.count-1, 0, far)
	case 7:
		for _, s := range samplers {
			if s, ok := s.(map[string]any); ok {
				s["interpolation"] = oneOf(r, "STEP", "STEP", "LINEAR", "CUBICSPLINE")
			}
		}
	}
}

// mutateCopies makes many of one thing: skins, meshes, nodes, clips or channels.
func mutateCopies(r *rand.Rand, f *gltfFile) {
	doc, ok := f.doc.(map[string]any)
	if !ok {
		return
	}
	name := oneOf(r, "skins", "meshes", "nodes", "animations", "accessors", "materials")
	all := f.list(name)
	if len(all) == 0 {
		return
	}
	from, n := r.IntN(len(all)), oneOf(r, 2, 10, 60, 300)
	var copies []any
	for i := range n {
		copies = append(copies, float64(len(all)+i))
		one := clone(all[from])
		if node, ok := one.(map[string]any); ok && name == "nodes" {
			delete(node, "children")
			if skins := len(f.list("skins")); node["skin"] != nil && r.IntN(2) == 0 {
				node["skin"] = float64(r.IntN(skins + 1))
			}
		}
		doc[name] = append(f.list(name), one)
	}
	if scene := f.objectOf(r, "scenes"); scene != nil && name == "nodes" {
		roots, _ := scene["nodes"].([]any)
		scene["nodes"] = append(roots, copies...)
	}
}

// mutateBytes damages a file of any kind.
func mutateBytes(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	for range 1 + r.IntN(3) {
		if len(out) == 0 {
			return out
		}
		at := r.IntN(len(out))
		if r.IntN(3) == 0 {
			at = r.IntN(min(len(out), 28)) // the header
		}
		switch r.IntN(5) {
		case 0:
			out[at] ^= 1 << r.IntN(8)
		case 1:
			out[at] = oneOf[byte](r, 0, 0xff, '"', '{', '\n', '9')
		case 2:
			out = out[:at]
		case 3:
			out = slices.Delete(out, at, min(at+1+r.IntN(16), len(out)))
		case 4:
			out = slices.Insert(out, at, out[at:min(at+1+r.IntN(64), len(out))]...)
		}
	}
	return out
}

// mutateText changes words of a text file: numbers to extremes, or the words and lines themselves.
func mutateText(r *rand.Rand, data []byte) []byte {
	lines := strings.Split(string(data), "\n")
	for range 1 + r.IntN(3) {
		at := r.IntN(len(lines))
		words := strings.Fields(lines[at])
		switch {
		case len(words) == 0 || r.IntN(8) == 0:
			lines = slices.Delete(lines, at, min(at+r.IntN(3), len(lines)))
			if len(lines) == 0 {
				return nil
			}
			continue
		case r.IntN(8) == 0:
			words = append(words, words[len(words)-1])
		case r.IntN(8) == 0:
			words = words[:len(words)-1]
		default:
			words[r.IntN(len(words))] = oneOf(r, "NaN", "inf", "-inf", "1e999", "1e30", "1e-45", "1e20", "0", "-1",
				"99999999999999999999", "v", "f", "vn", "1/2/3", "//", "-1//-1", "é", "")
		}
		lines[at] = strings.Join(words, " ")
	}
	return []byte(strings.Join(lines, "\n"))
}
