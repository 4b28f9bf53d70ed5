// Package systemfont finds fonts of the user's system that have characters which a program's own fonts lack, such as
// Chinese ones in the names of a file, and checks that ImGui can draw with them.
package systemfont

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

type Font struct {
	Path       string
	Data       []byte  // of the whole file
	Index      int     // in a collection
	LineHeight float32 // ratio to the em square's height
}

// Find searches the system's fonts for a set that has the wanted characters, as far as there are such fonts, and
// reads them. It may take a second. Any goroutine may call it.
func Find(wanted []rune) []*Font {
	return Choose(wanted, append(fontconfig(wanted), knownFonts...))
}

// File is a font in a file, which may be a collection.
type File struct {
	Path  string
	Index int
}

// knownFonts are the usual files with Chinese, Japanese and Korean characters on systems without fontconfig's tools.
var knownFonts = []File{
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
func fontconfig(wanted []rune) (files []File) {
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
			files = append(files, File{path, n & 0xffff}) // the upper half is an instance of a variable font
		}
	}
	return files
}

// Choose reads files until all wanted characters are found. It returns the fonts that have characters which the
// fonts before them lack.
func Choose(wanted []rune, files []File) (fonts []*Font) {
	for _, file := range files {
		if len(wanted) == 0 {
			break
		}
		info, err := os.Stat(file.Path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > fontFileMost {
			continue
		}
		data, err := os.ReadFile(file.Path)
		if err != nil {
			continue
		}
		tables, ok := readTables(data, file.Index)
		if !ok || tables.lineHeight() == 0 {
			continue
		}
		table := tables.characters()
		rest := slices.DeleteFunc(slices.Clone(wanted), func(r rune) bool { return hasCharacter(table, r) })
		if len(rest) < len(wanted) {
			fonts = append(fonts, &Font{file.Path, data, file.Index, tables.lineHeight()})
			wanted = rest
		}
	}
	return fonts
}

// LineHeight returns the ratio of a font's line height to its em square's, from the bytes of its file; 0 if ImGui
// cannot draw with the font.
func LineHeight(file []byte) float32 {
	tables, ok := readTables(file, 0)
	if !ok {
		return 0
	}
	return tables.lineHeight()
}
