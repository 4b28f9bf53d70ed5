package ui

import (
	"unicode/utf8"

	"skinlab/render/ui/systemfont"

	"github.com/AllenDang/cimgui-go/imgui"
	"golang.org/x/image/font/gofont/goregular"
)

// The program's own fonts have Latin, Greek and Cyrillic characters. Names in files may also have Chinese, Japanese or
// Korean ones. A font with those takes some megabytes, so the program has none. It looks for a font of the system when
// such a character is first drawn.

// missing collects characters that the fonts lack.
type missing struct {
	seen map[rune]bool // all characters ever missed; nil until the first
	now  []rune        // those that TakeMissing has not returned yet
}

// TakeMissing returns the characters drawn since its last call that no font has, each once. Mostly there are none.
func (c *Context) TakeMissing() []rune {
	m := c.missing.now
	c.missing.now = nil
	return m
}

// note collects the characters of a text that the program's fonts lack.
func (c *Context) note(s string) {
	for i := 0; i < len(s); i++ {
		const first = 0xe1 // least first byte of these characters in UTF-8
		if s[i] < first {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[i:])
		if eastAsian(r) && !c.missing.seen[r] {
			if c.missing.seen == nil {
				c.missing.seen = make(map[rune]bool)
			}
			c.missing.seen[r] = true
			if !imgui.NewFontFromC(c.fonts[fontRegular]).IsGlyphInFont(imgui.Wchar(r)) { // an added font may have it
				c.missing.now = append(c.missing.now, r)
			}
		}
	}
}

// eastAsian reports whether a character belongs to the Chinese, Japanese or Korean script.
func eastAsian(r rune) bool {
	return r >= 0x1100 && r <= 0x11ff || // Hangul letters
		r >= 0x2e80 && r <= 0xa4cf || // radicals, kana, ideographs, Yi
		r >= 0xa960 && r <= 0xa97f || r >= 0xac00 && r <= 0xd7ff || // Hangul
		r >= 0xf900 && r <= 0xfaff || // compatibility ideographs
		r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xffef || // wide and narrow forms
		r >= 0x20000 && r <= 0x3ffff // rare ideographs
}

// AddFont lets a font of the system draw characters that the program's lack. Call it between frames.
func (c *Context) AddFont(f *systemfont.Font) {
	atlas := imgui.CurrentIO().Fonts()
	own := systemfont.LineHeight(goregular.TTF)
	for _, font := range c.fonts {
		dst := imgui.NewFontFromC(font)
		config := imgui.NewFontConfig()
		config.SetMergeMode(true)
		config.SetDstFont(dst)
		config.SetFontNo(uint32(f.Index))
		config.SetSizePixels(fontReference * f.LineHeight / own) // gives its em square the own font's size
		atlas.AddFontFromMemoryTTFV(fontMemory(f.Data), int32(len(f.Data)), 0, config, nil)
		config.Destroy()
		imgui.InternalImFontAtlasFontDiscardBakes(atlas, dst, 0) // the bakes remember which characters were missing
	}
}
