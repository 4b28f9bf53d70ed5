// Package methods is the table of fits: a line for each.
package methods

import (
	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/bodymodel"
	"skinlab/fit/decompose"
	"skinlab/fit/enveloping"
	"skinlab/fit/halfway"
	"skinlab/fit/helperbones"
)

// All returns the fits in the order in which people see them.
func All() []*fit.Method {
	return []*fit.Method{
		blendbones.Method,
		halfway.Method,
		enveloping.Method,
		halfway.WholeMethod,
		enveloping.SSDMethod,
		helperbones.Method,
		decompose.Method,
		bodymodel.Method,
	}
}
