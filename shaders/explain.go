package shaders

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// logPosition is where compilers put "file number, line" at the start of a message: Mesa "0:12(3): error", NVIDIA
// "0(12) : error", Apple and Intel "ERROR: 0:12: ...".
var logPosition = regexp.MustCompile(`(?m)^((?:ERROR|WARNING): )?(\d+)[:(](\d+)(\(\d+\)|\))?`)

// Explain rewrites the positions of a compiler's log from file numbers to file names: "0:12(3): error" becomes
// "dqs.glsl:12: error".
func (s Stage) Explain(log string) string {
	return logPosition.ReplaceAllStringFunc(log, func(at string) string {
		m := logPosition.FindStringSubmatch(at)
		file, err := strconv.Atoi(m[2])
		if err != nil || file >= len(s.Files) {
			return at
		}
		return fmt.Sprintf("%s%s:%s", m[1], s.Files[file], m[3])
	})
}

// Numbered returns the source with "file:line" before every line, for the report of a compile error.
func (s Stage) Numbered() string {
	var out strings.Builder
	file, line := "", 0
	for text := range strings.Lines(s.Text) {
		var next, number int
		if n, _ := fmt.Sscanf(text, "#line %d %d", &next, &number); n == 2 && number < len(s.Files) {
			file, line = s.Files[number], next
			continue
		}
		if file == "" { // the version line
			out.WriteString(text)
			continue
		}
		fmt.Fprintf(&out, "%22s:%-4d %s", file, line, text)
		line++
	}
	return out.String()
}
