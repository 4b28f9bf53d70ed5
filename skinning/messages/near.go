package messages

import (
	"slices"
	"strings"
)

// Near returns the words that contain the wanted one or differ from it in at most a third of its letters, nearest
// first. Case is ignored.
func Near(wanted string, words []string) (near []string) {
	const most = 64 // letters; a longer name is not a slip of the finger, and comparing takes the product of the lengths
	letters := []rune(strings.ToLower(wanted))
	if len(letters) == 0 || len(letters) > most {
		return nil
	}
	distances := map[string]int{}
	for _, word := range words {
		candidate := []rune(strings.ToLower(word))
		if len(candidate) > 4*most || word == "" {
			continue
		}
		d := editDistance(letters, candidate)
		if strings.Contains(string(candidate), string(letters)) {
			d = 0
		}
		if _, seen := distances[word]; !seen && d <= max(1, len(letters)/3) {
			near, distances[word] = append(near, word), d
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return distances[a] - distances[b] })
	return near
}

// Nearest proposes the nearest of the words behind an error about an unknown one: `; did you mean "walk"?`. It is empty
// where none is near.
func Nearest(wanted string, words []string) string {
	near := Near(wanted, words)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + quoted(near[0]) + "?"
}

// quoted quotes a name of a file's, as an error may show it.
func quoted(name string) string {
	if p := Printable(name); p != name {
		return p
	}
	return `"` + name + `"`
}

// editDistance counts the insertions, deletions, substitutions and swaps of neighbours that turn a into b: the optimal
// string alignment of Damerau 1964, by the recurrence of Wagner and Fischer 1974.
func editDistance(a, b []rune) int {
	rows := [3][]int{}
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	before, last, row := rows[0], rows[1], rows[2]
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
