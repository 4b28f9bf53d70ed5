package helperbones

import (
	"fmt"
	"math"
)

// powersOf lists the monomials of n variables of degree 1 to degree, in order of degree: the x_d of HBR equation 10. Of
// three variables and degree 2 they are x, y, z, x², xy, xz, y², yz, z².
func powersOf(n, degree int) (all [][3]uint8) {
	if n < 1 || n > 3 || degree < 1 {
		panic(fmt.Sprintf("helperbones: powersOf: %d variables, degree %d", n, degree))
	}
	for d := 1; d <= degree; d++ {
		for x := d; x >= 0; x-- {
			for y := d - x; y >= 0; y-- {
				z := d - x - y
				if n < 3 && z > 0 || n < 2 && y > 0 {
					continue
				}
				all = append(all, [3]uint8{uint8(x), uint8(y), uint8(z)})
			}
		}
	}
	return all
}

// degreeOf returns the sum of powers.
func degreeOf(powers [3]uint8) int { return int(powers[0]) + int(powers[1]) + int(powers[2]) }

// degreePenalty is what a monomial's coefficient costs in the Lasso beside one of degree 1. Two levels of an angle
// cannot tell x from x². An even penalty then picks whichever explains the examples a little better, and high powers
// fly off on unseen poses.
func degreePenalty(degree int) float64 { return math.Pow(3, float64(degree-1)) }
