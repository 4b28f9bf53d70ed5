package ui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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

// TakeMissing returns the characters drawn since its last call that no font has. It returns each character only once.
// It allocates nothing if there are none.
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

// AddFont lets a font of the system draw characters that the program's fonts lack, from the next frame on. Do not call
// it between Begin and End.
func (c *Context) AddFont(f *SystemFont) {
	atlas := imgui.CurrentIO().Fonts()
	own, _ := readTables(goregular.TTF, 0)
	for _, font := range c.fonts {
		dst := imgui.NewFontFromC(font)
		config := imgui.NewFontConfig()
		config.SetMergeMode(true)
		config.SetDstFont(dst)
		config.SetFontNo(uint32(f.index))
		config.SetSizePixels(fontReference * f.lineHeight / own.lineHeight()) // gives its em square the own font's size
		atlas.AddFontFromMemoryTTFV(fontMemory(f.data), int32(len(f.data)), 0, config, nil)
		config.Destroy()
		imgui.InternalImFontAtlasFontDiscardBakes(atlas, dst, 0) // the bakes remember which characters were missing
	}
}

// SystemFont is a font of the user's system that the interface can draw with.
type SystemFont struct {
	Path       string
	data       []byte
	index      int     // in a collection
	lineHeight float32 // ratio to the em square's height
}

// FindFonts searches the system's fonts for a set that has the wanted characters, as far as there are such fonts, and
// reads them. It may take a second. Any goroutine may call it.
func FindFonts(wanted []rune) []*SystemFont {
	return chooseFonts(wanted, append(fontconfig(wanted), knownFonts...))
}

// fontFile is a font in a file, which may be a collection.
type fontFile struct {
	path  string
	index int
}

// knownFonts are the usual files with Chinese, Japanese and Korean characters on systems without fontconfig's tools.
var knownFonts = []fontFile{
	{"/System/Library/Fonts/Hiragino Sans GB.ttc", 0},
	{"/System/Library/Fonts/AppleSDGothicNeo.ttc", 0},
	{"/System/Library/Fonts/Supplemental/Arial Unicode.ttf", 0},
	{`C:\Windows\Fonts\YuGothM.ttc`, 0},
	{`C:\Windows\Fonts\msgothic.ttc`, 0},
	{`C:\Windows\Fonts\msyh.ttc`, 0},
	{`C:\Windows\Fonts\malgun.ttf`, 0},
	{"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 0},
	{"/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc", 0},
	{"/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc", 0},
	{"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", 0},
	{"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", 0},
}

const (
	fontconfigTime = 20 * time.Second // fontconfig's tool builds its cache at the first call
	fontconfigMost = 6                // files of its list that are read at most
	fontFileMost   = 128 << 20        // bytes of a file that is read at most
)

// fontconfig returns the files that fontconfig's search proposes, the best first. It returns none if its tool is not
// installed.
func fontconfig(wanted []rune) (files []fontFile) {
	ctx, cancel := context.WithTimeout(context.Background(), fontconfigTime)
	defer cancel()
	var pattern strings.Builder
	pattern.WriteString(":outline=true:charset=")
	for _, r := range wanted {
		fmt.Fprintf(&pattern, "%x ", r)
	}
	out, err := exec.CommandContext(ctx, "fc-match", "-s", "-f", "%{index} %{file}\n", pattern.String()).Output()
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(out)) {
		index, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n, err := strconv.Atoi(index); ok && err == nil && len(files) < fontconfigMost {
			files = append(files, fontFile{path, n & 0xffff}) // the upper half is an instance of a variable font
		}
	}
	return files
}

// chooseFonts reads files until all wanted characters are found. It returns the fonts that have characters which the
// fonts before them lack.
func chooseFonts(wanted []rune, files []fontFile) (fonts []*SystemFont) {
	for _, file := range files {
		if len(wanted) == 0 {
			break
		}
		info, err := os.Stat(file.path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > fontFileMost {
			continue
		}
		data, err := os.ReadFile(file.path)
		if err != nil {
			continue
		}
		tables, ok := readTables(data, file.index)
		if !ok || tables.lineHeight() == 0 {
			continue
		}
		table := tables.characters()
		rest := slices.DeleteFunc(slices.Clone(wanted), func(r rune) bool { return hasCharacter(table, r) })
		if len(rest) < len(wanted) {
			fonts = append(fonts, &SystemFont{file.path, data, file.index, tables.lineHeight()})
			wanted = rest
		}
	}
	return fonts
}
