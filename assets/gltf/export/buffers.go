package export

import (
	"encoding/json"
	"math"
	"slices"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
)

// gatherBuffers moves all buffers into the binary chunk and turns buffer views to it. Bytes that only orphans read are
// left out, everything else is copied as it stands. What is appended later follows.
func (x *exporter) gatherBuffers(o *orphans) {
	spans := map[*byte][]span{} // buffers of one file may be the same bytes, one longer than the other
	longest := map[*byte][]byte{}
	for i := range x.Doc.Buffers {
		data := x.Doc.Buffers[i].Data
		if len(data) == 0 {
			continue // only a fallback that no view reads
		}
		if len(data) > len(longest[&data[0]]) {
			longest[&data[0]] = data
		}
		list := spans[&data[0]]
		if !slices.Contains(o.views, true) {
			list = append(list, span{0, len(data), 0})
		} else {
			for v := range x.Doc.BufferViews {
				if view := x.Doc.BufferViews[v]; view.Buffer == i && !o.views[v] {
					list = append(list, span{int(view.ByteOffset), int(view.ByteOffset + view.ByteLength), 0})
				}
			}
		}
		spans[&data[0]] = list
	}
	for _, b := range x.Doc.Buffers { // in order, not in that of a map
		data := b.Data
		if len(data) == 0 || spans[&data[0]] == nil || spans[&data[0]][0].placed > 0 {
			continue
		}
		spans[&data[0]] = x.out.place(merge(spans[&data[0]]), longest[&data[0]])
	}
	for i := range x.out.list("bufferViews") {
		v := x.out.at("bufferViews", i)
		if o.views[i] {
			continue
		}
		x.turn(v, spans)
		extensions, _ := v["extensions"].(dict)
		for _, e := range extensions { // EXT_meshopt_compression has a second source there
			if other, ok := e.(dict); ok {
				x.turn(other, spans)
			}
		}
	}
	delete(x.out.doc, "buffers") // written last
	x.out.free = map[string][]int{"accessors": indicesOf(o.accessors), "bufferViews": indicesOf(o.views)}
}

// span is a run of bytes of a buffer and where it went, counted from 1.
type span struct{ from, to, placed int }

// merge sorts spans and joins those that touch.
func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// place appends the bytes of spans. Their offsets keep what is left when they are divided by four, and with it the
// alignment of all accessors in them.
func (w *treeWriter) place(spans []span, data []byte) []span {
	for i := range spans {
		s := &spans[i]
		w.bin = append(w.bin, make([]byte, (s.from-len(w.bin))&3)...)
		s.placed = len(w.bin) + 1
		w.bin = append(w.bin, data[s.from:s.to]...)
	}
	return spans
}

// turn makes an object with buffer and byteOffset refer to the binary chunk.
func (x *exporter) turn(o dict, spans map[*byte][]span) {
	buffer, ok := asInt(o["buffer"])
	if !ok || buffer < 0 || buffer >= len(x.Doc.Buffers) || len(x.Doc.Buffers[buffer].Data) == 0 {
		return
	}
	offset, _ := asInt(o["byteOffset"])
	for _, s := range spans[&x.Doc.Buffers[buffer].Data[0]] {
		if offset >= s.from && offset < s.to {
			o["buffer"], o["byteOffset"] = 0, s.placed-1+offset-s.from
			return
		}
	}
}

func indicesOf(set []bool) (out []int) {
	for i, in := range set {
		if in {
			out = append(out, i)
		}
	}
	return out
}

// asInt reads an integer of the tree.
func asInt(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case json.Number:
		i, err := n.Int64()
		if f, bad := n.Float64(); err != nil && bad == nil && f == math.Trunc(f) {
			return int(f), true
		}
		return int(i), err == nil
	}
	return 0, false
}

// embedPictures moves pictures from files beside the source into the binary chunk, so that the result stands alone.
// What cannot be read stays a reference.
func (x *exporter) embedPictures() {
	for i := range x.Doc.Images {
		info := x.Doc.Images[i]
		if info.URI == "" || info.BufferView != nil || gltf.IsDataURI(info.URI) {
			continue
		}
		data, err := x.Fetch(info.URI, gltf.MaxFileSize)
		kind := map[string]string{"PNG": "image/png", "JPEG": "image/jpeg"}[gltf.PictureKind(data)]
		if err != nil || kind == "" {
			x.report.Warnings = append(x.report.Warnings,
				fault.Element("image", i, info.Name)+": still refers to the file "+fault.Shorten(info.URI))
			continue
		}
		image := x.out.at("images", i)
		delete(image, "uri")
		image["bufferView"], image["mimeType"] = x.out.view(data, targetNone), kind
	}
}
