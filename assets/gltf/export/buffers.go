package export

import (
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
)

// gatherBuffers copies all buffers of the source, and the writer's behind them, into one binary chunk, and makes all
// buffer views refer to it. Bytes that only orphans have read are left out.
func (x *exporter) gatherBuffers() (bin []byte) {
	spans := map[*byte][]span{} // by first byte: two buffers may be the same file, one longer than the other
	longest := map[*byte][]byte{}
	x.Doc.Buffers = append(x.Doc.Buffers, &qgltf.Buffer{Data: x.out.bin})
	for i, b := range x.Doc.Buffers {
		if len(b.Data) == 0 {
			continue // only a fallback that no view reads
		}
		at := &b.Data[0]
		if len(b.Data) > len(longest[at]) {
			longest[at] = b.Data
		}
		if !x.orphaned || i == x.out.buffer {
			spans[at] = append(spans[at], span{0, len(b.Data), 0})
			continue
		}
		for _, view := range x.Doc.BufferViews {
			if view.Buffer == i {
				spans[at] = append(spans[at], span{view.ByteOffset, view.ByteOffset + view.ByteLength, 0})
			}
		}
	}
	for _, b := range x.Doc.Buffers { // not over the map, whose order is random
		if len(b.Data) == 0 || spans[&b.Data[0]] == nil || spans[&b.Data[0]][0].placed > 0 {
			continue
		}
		at := &b.Data[0]
		spans[at] = merge(spans[at])
		bin = place(bin, spans[at], longest[at])
	}
	for _, v := range x.Doc.BufferViews {
		x.relocate(&v.Buffer, &v.ByteOffset, spans)
	}
	return bin
}

// span is a run of bytes of a buffer. Placed is its offset in the binary chunk plus 1, 0 before it has one.
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

// place appends the bytes of spans. A span keeps its offset modulo four, and with it the alignment of the accessors in
// it.
func place(bin []byte, spans []span, data []byte) []byte {
	for i := range spans {
		s := &spans[i]
		bin = append(bin, make([]byte, (s.from-len(bin))&3)...)
		s.placed = len(bin) + 1
		bin = append(bin, data[s.from:s.to]...)
	}
	return bin
}

// relocate changes an offset in a buffer into one in the binary chunk.
func (x *exporter) relocate(buffer, offset *int, spans map[*byte][]span) {
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

// embedPictures moves pictures from files beside the source into the binary chunk, so that the result stands alone.
// A picture that cannot be read stays a file, with a warning.
func (x *exporter) embedPictures() {
	for i, info := range x.Doc.Images {
		if info.URI == "" || info.BufferView != nil || gltf.IsDataURI(info.URI) {
			continue
		}
		data, err := x.Fetch(info.URI, gltf.MaxFileSize)
		kind := map[string]string{"PNG": "image/png", "JPEG": "image/jpeg", "WebP": "image/webp"}[gltf.PictureKind(data)]
		if err != nil || kind == "" {
			x.warn("%s: still refers to the file %s", fault.Element("image", i, info.Name), fault.Shorten(info.URI))
			continue
		}
		info.URI, info.BufferView, info.MimeType = "", x.out.view(data, qgltf.TargetNone), kind
	}
}
