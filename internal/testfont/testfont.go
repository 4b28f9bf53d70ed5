// Package testfont makes fonts for tests, which must not depend on the system's fonts.
package testfont

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// Write writes a font file in which some characters look like a Latin letter: goregular with another table of
// characters (OpenType, cmap format 12).
func Write(t *testing.T, as rune, characters ...rune) string {
	t.Helper()
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	glyph, err := f.GlyphIndex(nil, as)
	if err != nil || glyph == 0 {
		t.Fatalf("no glyph of %c: %v", as, err)
	}
	be := binary.BigEndian
	table := be.AppendUint16(nil, 0)         // version
	table = be.AppendUint16(table, 1)        // one encoding:
	table = be.AppendUint32(table, 3<<16|10) // Windows, all of Unicode,
	table = be.AppendUint32(table, 12)       // from here on
	table = be.AppendUint32(table, 12<<16)   // format
	table = be.AppendUint32(table, uint32(16+12*len(characters)))
	table = be.AppendUint32(table, 0) // language
	table = be.AppendUint32(table, uint32(len(characters)))
	slices.Sort(characters)
	for _, r := range characters {
		table = be.AppendUint32(be.AppendUint32(be.AppendUint32(table, uint32(r)), uint32(r)), uint32(glyph))
	}
	font := slices.Clone(goregular.TTF)
	for at := 12; at < 12+16*int(be.Uint16(font[4:])); at += 16 {
		if string(font[at:at+4]) == "cmap" {
			be.PutUint32(font[at+8:], uint32(len(font)))
			be.PutUint32(font[at+12:], uint32(len(table)))
		}
	}
	path := filepath.Join(t.TempDir(), "font.ttf")
	if err := os.WriteFile(path, append(font, table...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
