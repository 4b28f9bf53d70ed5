package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// niceStep returns the smallest of 1, 2 and 5 times a power of ten that divides span into at most n parts. The span is
// positive.
func niceStep(span float64, n int) float64 {
	power := math.Pow(10, math.Floor(math.Log10(span/float64(n))))
	for _, m := range []float64{1, 2, 5} {
		if span <= m*power*float64(n)*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// ticks returns the multiples of step from low to high, labelled with as many decimals as the step has.
func ticks(low, high, step float64) (list []plot.Tick) {
	decimals := 0
	for s := step; decimals < 12 && math.Abs(s-math.Round(s)) > 1e-6*step; s *= 10 {
		decimals++
	}
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		label := strconv.FormatFloat(k*step+0, 'f', decimals, 64) // + 0 turns −0 into 0
		list = append(list, plot.Tick{Value: k * step, Label: strings.Replace(label, "-", "−", 1)})
	}
	return list
}
