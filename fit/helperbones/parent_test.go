package helperbones

import (
	"slices"
	"testing"
)

// TestJoined: a bone always has a parent to try, also where hundreds of joints move the skin under it and each moves
// less than the least share. A fit to 121 characters in one file panicked for want of one.
func TestJoined(t *testing.T) {
	few, many := []float64{1, 30, 0, 20}, make([]float64, 200)
	for j := range many {
		many[j] = 1
	}
	many[70], many[90] = 2, 2
	for _, c := range []struct {
		reached []float64
		share   float64
		want    []int
	}{{few, leastShare, []int{1, 3}}, {few, 0, []int{0, 1, 2, 3}}, {many, leastShare, []int{70, 90}}} {
		if got := joined(c.reached, c.share); !slices.Equal(got, c.want) {
			t.Errorf("the joints that move %g of the skin are %v of %v, expected %v", c.share, got, c.reached, c.want)
		}
	}
}
