package export

import (
	"encoding/json"
	"slices"
	"strconv"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/assets/strictjson"
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
			for v, view := range x.Doc.BufferViews {
				if view.Buffer == i && !o.views[v] {
					list = append(list, span{view.ByteOffset, view.ByteOffset + view.ByteLength, 0})
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
	for i, v := range x.Doc.BufferViews {
		if o.views[i] {
			continue
		}
		x.turn(&v.Buffer, &v.ByteOffset, spans)
		for name, e := range v.Extensions { // EXT_meshopt_compression has a second source there
			v.Extensions[name] = x.turnExtension(e.(json.RawMessage), spans)
		}
	}
	x.out.freeAccessors, x.out.freeViews = indicesOf(o.accessors), indicesOf(o.views)
}

// turnExtension is turn for an extension of a buffer view.
func (x *exporter) turnExtension(text json.RawMessage, spans map[*byte][]span) json.RawMessage {
	var all map[string]json.RawMessage
	var at struct {
		Buffer     *int `json:"buffer"`
		ByteOffset int  `json:"byteOffset"`
	}
	if strictjson.Unmarshal(text, &at, strictjson.Options{}) != nil || at.Buffer == nil || json.Unmarshal(text, &all) != nil {
		return text
	}
	x.turn(at.Buffer, &at.ByteOffset, spans)
	all["buffer"] = strconv.AppendInt(nil, int64(*at.Buffer), 10)
	all["byteOffset"] = strconv.AppendInt(nil, int64(at.ByteOffset), 10)
	if changed, err := json.Marshal(all); err == nil {
		return changed
	}
	return text
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
func (w *writer) place(spans []span, data []byte) []span {
	for i := range spans {
		s := &spans[i]
		w.bin = append(w.bin, make([]byte, (s.from-len(w.bin))&3)...)
		s.placed = len(w.bin) + 1
		w.bin = append(w.bin, data[s.from:s.to]...)
	}
	return spans
}

// turn makes a place in one of the source's buffers one in the binary chunk.
func (x *exporter) turn(buffer, offset *int, spans map[*byte][]span) {
	if *buffer < 0 || *buffer >= len(x.Doc.Buffers) || len(x.Doc.Buffers[*buffer].Data) == 0 {
		return
	}
	for _, s := range spans[&x.Doc.Buffers[*buffer].Data[0]] {
		if *offset >= s.from && *offset < s.to {
			*buffer, *offset = 0, s.placed-1+*offset-s.from
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

// embedPictures moves pictures from files beside the source into the binary chunk, so that the result stands alone.
// What cannot be read stays a reference.
func (x *exporter) embedPictures() {
	for i, info := range x.Doc.Images {
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
		info.URI, info.BufferView, info.MimeType = "", x.out.view(data, qgltf.TargetNone), kind
	}
}
