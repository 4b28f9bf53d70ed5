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
)

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
