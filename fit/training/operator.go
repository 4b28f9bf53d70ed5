package training

import (
	"fmt"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// OperatorWarning says what a chosen operator loses on a model: "" for nothing.
func OperatorWarning(m *skinning.Model, method skinning.Method) string {
	if !method.LosesScale() {
		return ""
	}
	s, ok := compare.Scales(m)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%v has no scale, and %s: the fit loses that for good, %v keeps it", method, s.String(),
		skinning.SDQS)
}
