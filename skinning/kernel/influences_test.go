package kernel

import (
	"math"
	"slices"
	"testing"
)

// Influences are sorted, added up and normalised.
func TestInfluencesAppend(t *testing.T) {
	nan := float32(math.NaN())
	cases := []struct {
		name string
		raw  []Influence
		want []Influence
	}{
		{"sorted and normalised", []Influence{{5, 1}, {2, 3}}, []Influence{{2, 0.75}, {5, 0.25}}},
		{"equal weights by joint", []Influence{{9, 1}, {3, 1}, {4, 1}, {1, 1}},
			[]Influence{{1, 0.25}, {3, 0.25}, {4, 0.25}, {9, 0.25}}},
		{"repeated joints add up", []Influence{{1, 1}, {2, 1}, {1, 2}}, []Influence{{1, 0.75}, {2, 0.25}}},
		{"negative is zero", []Influence{{1, -1}, {2, 1}}, []Influence{{2, 1}}},
		{"none", []Influence{{1, 0}, {2, 0}}, []Influence{{7, 1}}},
		{"not a number", []Influence{{1, nan}, {2, 2}}, []Influence{{2, 1}}},
		{"six", []Influence{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 1}},
			[]Influence{{5, 5. / 16}, {4, 4. / 16}, {3, 3. / 16}, {2, 2. / 16}, {1, 1. / 16}, {6, 1. / 16}}},
	}
	var in Influences
	for _, c := range cases {
		in.Append(slices.Clone(c.raw), 7)
	}
	for v, c := range cases {
		if got := in.Of(nil, v); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if err := in.Validate(10); err != nil {
		t.Error(err)
	}
	if err := in.Validate(9); err == nil {
		t.Error("joint 9 of 9 passes")
	}
	if mean, most := in.Stats(); most != 6 || !(math.Abs(mean-17./7) < 1e-12) {
		t.Errorf("mean %g, most %d", mean, most)
	}
}
