package assets

import "encoding/json"

// gatherBuffers moves all buffers into the binary chunk, byte for byte, and turns buffer views to it. What is appended
// later follows them.
func (x *exporter) gatherBuffers() {
	start := make([]int, len(x.buffers))
	seen := map[*byte]int{} // buffers of one file may be the same bytes
	for i, data := range x.buffers {
		if len(data) == 0 {
			continue // only a fallback that no view reads
		}
		at, ok := seen[&data[0]]
		if !ok || at+len(data) > len(x.out.bin) {
			x.out.bin = append(x.out.bin, make([]byte, -len(x.out.bin)&3)...)
			at = len(x.out.bin)
			x.out.bin = append(x.out.bin, data...)
			seen[&data[0]] = at
		}
		start[i] = at
	}
	move := func(o dict) {
		buffer, ok := asInt(o["buffer"])
		if !ok || buffer < 0 || buffer >= len(start) {
			return
		}
		offset, _ := asInt(o["byteOffset"])
		o["buffer"], o["byteOffset"] = 0, start[buffer]+offset
	}
	for i := range x.out.list("bufferViews") {
		v := x.out.at("bufferViews", i)
		move(v)
		extensions, _ := v["extensions"].(dict)
		for _, e := range extensions { // EXT_meshopt_compression has a second source there
			if o, ok := e.(dict); ok {
				move(o)
			}
		}
	}
	delete(x.out.doc, "buffers") // written last
}

// asInt reads an integer of the tree.
func asInt(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case json.Number:
		i, err := parseInteger([]byte(n))
		return int(i), err == nil
	}
	return 0, false
}

// embedPictures moves pictures from files beside the source into the binary chunk, so that the result stands alone. What
// cannot be read stays a reference.
func (x *exporter) embedPictures() {
	for i := range x.doc.Images {
		info := &x.doc.Images[i]
		if info.URI == nil || info.BufferView != nil || isDataURI(*info.URI) {
			continue
		}
		data, err := x.fetch(*info.URI, maxFileSize)
		kind := map[string]string{"PNG": "image/png", "JPEG": "image/jpeg"}[pictureKind(data)]
		if err != nil || kind == "" {
			x.report.Warnings = append(x.report.Warnings, element("image", i, info.Name)+": still refers to the file "+shorten(*info.URI))
			continue
		}
		image := x.out.at("images", i)
		delete(image, "uri")
		image["bufferView"], image["mimeType"] = x.out.view(data, targetNone), kind
	}
}
