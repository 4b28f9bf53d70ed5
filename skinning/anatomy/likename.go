package anatomy

import "strings"

// LikeNames returns, for each name of a skeleton's joints, what it has in common with the names that other programs
// give to the same joints: the side, and the words without namespaces ("mixamorig:", "Armature|"), separators, case and
// a first word that nearly all names begin with. Names whose results are equal name the same joint:
// "mixamorig:LeftHandIndex1", "hand_index1.L" and "Bip01 L HandIndex1".
func LikeNames(names []string) []string {
	prefix := commonWord(names)
	like := make([]string, len(names))
	for i, name := range names {
		found, words := sideWords(likeWords(name, prefix))
		like[i] = strings.TrimSpace(sideWord(found) + " " + strings.Join(words, ""))
	}
	return like
}

// SameSide reports whether two names are of one side of the body, left or right.
func SameSide(a, b string) bool {
	of, _ := sideName(a)
	other, _ := sideName(b)
	return of != noSide && of == other
}

// likeWords cuts a name into words in lower case, without its namespace and a prefix.
func likeWords(name, prefix string) []string {
	if at := strings.LastIndexAny(name, ":|"); at >= 0 && at+1 < len(name) {
		name = name[at+1:]
	}
	words := nameWords(name)
	if len(words) > 1 && prefix != "" && strings.EqualFold(words[0], prefix) {
		words = words[1:]
	}
	return words
}

// commonWord returns the first word of at least three quarters of the names, "" if there is none. A word that names a
// part of the body is no prefix.
func commonWord(names []string) string {
	counts := map[string]int{}
	for _, name := range names {
		if words := likeWords(name, ""); len(words) > 1 {
			counts[strings.ToLower(words[0])]++
		}
	}
	for word, n := range counts {
		if found, _ := sideName(word); 4*n >= 3*len(names) && len(names) > 3 && found == noSide &&
			sidedWords[word] == nil && trunkWords[word] == "" {
			return word
		}
	}
	return ""
}
