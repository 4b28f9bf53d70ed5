package anatomy

import (
	"strings"
	"unicode"
)

// side is the half of the body that a name speaks of.
type side int8

const (
	noSide side = iota
	leftSide
	rightSide
)

// sideName reads the side out of a node's name, and the stem: the name in lower case, cut into words, with a star for
// the word that names the side. Two nodes of opposite sides and equal stems are each other's mirror image by name. It
// knows the conventions in use: LeftArm, mixamorig:LeftArm, arm_left, leftarm, arm.L, L_arm, Bip01 L Arm, upperarm_l,
// lArm, arm.L.001.
func sideName(name string) (side, string) {
	words := nameWords(name)
	found, at, rest := sideAt(words)
	for i := range words {
		words[i] = strings.ToLower(words[i])
		if found != noSide && i == at {
			words[i] = "*" + rest
		}
	}
	return found, strings.Join(words, " ")
}

// sideAt finds the first of a name's words that names a side, and what else that word says: "arm" of leftarm.
func sideAt(words []string) (found side, at int, rest string) {
	for i, w := range words {
		switch lower := strings.ToLower(w); {
		case lower == "l":
			return leftSide, i, ""
		case lower == "r":
			return rightSide, i, ""
		case strings.HasPrefix(lower, "left"):
			return leftSide, i, lower[len("left"):]
		case strings.HasPrefix(lower, "right"):
			return rightSide, i, lower[len("right"):]
		}
	}
	return noSide, -1, ""
}

// sideWords returns the side of a name's words, and these in lower case without it.
func sideWords(words []string) (found side, others []string) {
	found, at, rest := sideAt(words)
	for i, w := range words {
		if i == at {
			w = rest
		}
		if w != "" {
			others = append(others, strings.ToLower(w))
		}
	}
	return found, others
}

// WithoutSide returns a node's name without the word that names its side, with a space between words: "upper arm" of
// LeftUpperArm. A name without a side is returned as it is.
func WithoutSide(name string) string {
	found, stem := sideName(name)
	if found == noSide {
		return name
	}
	return strings.Join(strings.FieldsFunc(stem, func(r rune) bool { return r == ' ' || r == '*' }), " ")
}

// nameWords cuts a name at everything that is no letter or digit and where a small letter meets a capital; of a run of
// capitals before a small letter the last begins the next word, as in LArm.
func nameWords(name string) (words []string) {
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, string(runes[start:end]))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) &&
			(unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
			start = i
		}
	}
	cut(len(runes))
	return words
}

// looseStem drops the number that exporters append to keep names apart: of "b * leg01 015" the "015". Equal loose stems
// are a weaker sign than equal stems.
func looseStem(stem string) string {
	at := strings.LastIndexByte(stem, ' ')
	if at < 0 || strings.Trim(stem[at+1:], "0123456789") != "" || strings.Trim(stem[:at], " *") == "" {
		return stem
	}
	return stem[:at]
}
