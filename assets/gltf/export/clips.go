package export

import (
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// fileClips returns a model without the stress clips that were appended behind the first n clips, those of its file:
// they show faults and are no part of what leaves.
func fileClips(m *skinning.Model, n int) *skinning.Model {
	for _, c := range m.Clips[min(n, len(m.Clips)):] {
		if _, made := stress.Name(c.Name); !made {
			return m
		}
	}
	if len(m.Clips) <= n {
		return m
	}
	out := *m
	out.Clips = m.Clips[:n:n]
	return &out
}

// builtInClips is fileClips of a model that no file holds: all that were appended go.
func builtInClips(m *skinning.Model) *skinning.Model {
	n := len(m.Clips)
	for n > 0 {
		if _, made := stress.Name(m.Clips[n-1].Name); !made {
			break
		}
		n--
	}
	return fileClips(m, n)
}
