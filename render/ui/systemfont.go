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

// SystemFont is a font of the person's system, read and found to be one that the interface can draw with.
type SystemFont struct {
	Path       string
	data       []byte
	index      int     // of the font in a collection
	lineHeight float32 // over that of the em square
}

// FindFonts looks through the system's fonts for those that have the wanted characters together, as far as any have,
// and reads them. It may take a second, and any goroutine may call it.
func FindFonts(wanted []rune) []*SystemFont {
	return chooseFonts(wanted, append(fontconfig(wanted), knownFonts...))
}

// fontFile is a font in a file: which one of a collection.
type fontFile struct {
	path  string
	index int
}

// knownFonts are where systems without fontconfig, and Linux without its tools, have Chinese, Japanese and Korean.
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
	fontconfigTime = 20 * time.Second // the tool first builds its cache where there is none
	fontconfigMost = 6                // files that are read of its list
	fontFileMost   = 128 << 20        // bytes
)

// fontconfig lists files that the system's own search proposes, the best first; none where its tool is not installed.
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

// chooseFonts reads the files until all wanted characters are found, and returns those that have some which none before
// has.
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
