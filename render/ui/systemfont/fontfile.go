package systemfont

import "encoding/binary"

// fontTables are the tables of a TrueType or OpenType font. ImGui's rasteriser does not check the tables that it reads,
// so those that it needs are checked here. The font parser of golang.org/x/image is too strict for this: it rejects
// tables that do not start at a multiple of four bytes, which common fonts have (WenQuanYi Micro Hei).
type fontTables map[string][]byte

// readTables returns the tables of the font with an index in a file, which may be a collection of fonts. It fails if a
// table lies outside of the file or one that drawing needs is missing.
func readTables(data []byte, index int) (fontTables, bool) {
	at := 0
	if len(data) >= 12 && string(data[:4]) == "ttcf" {
		if index >= int(u32(data, 8)) {
			return nil, false
		}
		at = int(u32(data, 12+4*index))
	} else if index != 0 {
		return nil, false
	}
	tables := make(fontTables)
	for k := range int(u16(data, at+4)) {
		entry := at + 12 + 16*k
		if entry+16 > len(data) {
			return nil, false
		}
		from, size := int(u32(data, entry+8)), int(u32(data, entry+12))
		if from+size > len(data) {
			return nil, false
		}
		tables[string(data[entry:entry+4])] = data[from : from+size]
	}
	for _, name := range []string{"cmap", "head", "hhea", "hmtx", "maxp"} {
		if tables[name] == nil {
			return nil, false
		}
	}
	return tables, tables["glyf"] != nil && tables["loca"] != nil || tables["CFF "] != nil
}

// lineHeight returns the ratio of the line's height to the em square's, from the metrics from which ImGui takes a
// font's size. It is 0 if the metrics make no sense.
func (t fontTables) lineHeight() float32 {
	em := u16(t["head"], 18)
	height := int(int16(u16(t["hhea"], 4))) - int(int16(u16(t["hhea"], 6)))
	if em == 0 || height <= 0 {
		return 0
	}
	return float32(height) / float32(em)
}

// characters returns the last table of Unicode characters, which ImGui's rasteriser reads; nil if there is none.
func (t fontTables) characters() []byte {
	cmap := t["cmap"]
	var table []byte
	for k := range int(u16(cmap, 2)) {
		platform, encoding := u16(cmap, 4+8*k), u16(cmap, 6+8*k)
		from := int(u32(cmap, 8+8*k))
		if (platform == 0 || platform == 3 && (encoding == 1 || encoding == 10)) && from < len(cmap) {
			table = cmap[from:]
		}
	}
	return table
}

// hasCharacter reports whether a table of characters has the character r. It knows cmap formats 4 and 12 of OpenType,
// which fonts with East Asian characters have.
func hasCharacter(table []byte, r rune) bool {
	switch u16(table, 0) {
	case 4:
		return r <= 0xffff && inSegments(table, int(r))
	case 12:
		for k := range min(int(u32(table, 12)), len(table)/12) {
			group := 16 + 12*k
			if first := u32(table, group); uint32(r) >= first && uint32(r) <= u32(table, group+4) {
				return u32(table, group+8)+uint32(r)-first != 0
			}
		}
	}
	return false
}

// inSegments is hasCharacter for format 4: segments of characters, each with an offset to its glyphs' indices or to a
// list of them.
func inSegments(table []byte, r int) bool {
	double := int(u16(table, 6)) // twice the number of segments
	for k := 0; k < double; k += 2 {
		if r > int(u16(table, 14+k)) {
			continue
		}
		first, delta := int(u16(table, 16+double+k)), int(u16(table, 16+2*double+k))
		at := 16 + 3*double + k
		offset := int(u16(table, at))
		switch {
		case r < first:
			return false
		case offset == 0:
			return (r+delta)&0xffff != 0
		}
		return u16(table, at+offset+2*(r-first)) != 0
	}
	return false
}

// u16 and u32 read a big-endian number at a byte offset. They return 0 outside of the table.
func u16(b []byte, at int) uint16 {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint16(b[at:])
}

func u32(b []byte, at int) uint32 {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint32(b[at:])
}
