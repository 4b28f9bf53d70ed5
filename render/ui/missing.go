package ui

import (
	"unicode/utf8"

	"github.com/AllenDang/cimgui-go/imgui"
	"golang.org/x/image/font/gofont/goregular"
)

// The fonts that are part of the program have Latin, Greek and Cyrillic. Names in files are of any script, those of
// Chinese, Japanese and Korean models hardly ever of these. A font that has such characters is some megabytes, so it is
// the system's, and it is looked for when the first of them is drawn.

// missing gathers characters that the fonts do not have.
type missing struct {
	seen map[rune]bool // all that were ever asked for; nil until the first
	now  []rune        // those that TakeMissing has not told of
}

// TakeMissing returns characters that were drawn since the last call and that no font is known to have, each once ever.
// It allocates nothing where there are none.
func (c *Context) TakeMissing() []rune {
	m := c.missing.now
	c.missing.now = nil
	return m
}

// note gathers the characters of a text that the program's fonts do not have.
func (c *Context) note(s string) {
	for i := 0; i < len(s); i++ {
		const first = 0xe1 // of the bytes of all of these
		if s[i] < first {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[i:])
		if eastAsian(r) && !c.missing.seen[r] {
			if c.missing.seen == nil {
				c.missing.seen = make(map[rune]bool)
			}
			c.missing.seen[r] = true
			if !imgui.NewFontFromC(c.fonts[fontRegular]).IsGlyphInFont(imgui.Wchar(r)) { // one that was added may have it
				c.missing.now = append(c.missing.now, r)
			}
		}
	}
}

// eastAsian tells whether a character is of those that Chinese, Japanese and Korean are written with.
func eastAsian(r rune) bool {
	return r >= 0x1100 && r <= 0x11ff || // Hangul letters
		r >= 0x2e80 && r <= 0xa4cf || // radicals, kana, ideographs, Yi
		r >= 0xa960 && r <= 0xa97f || r >= 0xac00 && r <= 0xd7ff || // Hangul
		r >= 0xf900 && r <= 0xfaff || // compatibility ideographs
		r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xffef || // wide and narrow forms
		r >= 0x20000 && r <= 0x3ffff // rare ideographs
}

// AddFont lets a system's font draw what the program's own fonts lack, from the next frame on. Not between Begin and
// End.
func (c *Context) AddFont(f *SystemFont) {
	atlas := imgui.CurrentIO().Fonts()
	own, _ := readTables(goregular.TTF, 0)
	for _, font := range c.fonts {
		dst := imgui.NewFontFromC(font)
		config := imgui.NewFontConfig()
		config.SetMergeMode(true)
		config.SetDstFont(dst)
		config.SetFontNo(uint32(f.index))
		config.SetSizePixels(fontReference * f.lineHeight / own.lineHeight()) // for an em square as large as ours
		atlas.AddFontFromMemoryTTFV(fontMemory(f.data), int32(len(f.data)), 0, config, nil)
		config.Destroy()
		imgui.InternalImFontAtlasFontDiscardBakes(atlas, dst, 0) // they remember what they did not find
	}
}
