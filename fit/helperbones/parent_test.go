package helperbones

import (
	"slices"
	"testing"
)

// TestJoined: a bone always has a parent to try, also where hundreds of joints move the skin under it and each moves
// little. A fit to 121 characters in one file panicked for want of one.
func TestJoined(t *testing.T) {
	few, many := []float64{1, 30, 0, 20}, make([]float64, 200)
	for j := range many {
		many[j] = 1
	}
	many[70], many[90] = 2, 2
	for _, c := range []struct {
		reached []float64
		want    []int
	}{{few, []int{1, 3}}, {many, []int{70, 90, 0}}, {[]float64{0, 0}, []int{0, 1}}} {
		if got := joined(c.reached); !slices.Equal(got, c.want) {
			t.Errorf("parents are %v of %v, expected %v", got, c.reached, c.want)
		}
	}
}
