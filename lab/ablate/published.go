package main

import (
	"fmt"
	"strings"

	"skinlab/lab/ablate/recipes"
)

// publishedSteps are the steps of enveloping's paper that the fit takes other ones for, by fields of
// enveloping.published, in the order in which rows of the table go from the paper to the fit.
var publishedSteps = [...]struct{ field, paper, ours string }{
	{"ssd", "SSD knows nothing of the rig", "SSD held to the rig"},
	{"joints", "keys from any joint", "keys from joints near them"},
	{"priors", "no priors", "priors"},
	{"second", "two joints for each key", "one joint for each key"},
	{"keys", "keys fitted together", "the groups' own keys"},
	{"shear", "polar S by plain least squares", "S that the rotation leaves, with a ridge"},
	{"clusters", "groups keep their transformations in joins", "groups fitted in each join"},
	{"holds", "proxies held to nothing", "proxies held to keys and SSD"},
	{"positions", "c₁ and c₂ of the Poisson solve", "c₁ and c₂ fitted to positions"},
	{"weights", "weights of the vertex reduction", "final weights"},
	{"count", "as many proxies as asked for", "the best number of proxies"},
}

// publishedRows are rows from the whole paper on, each of which takes one more of our steps, and a row for each of the
// paper's steps by itself.
func publishedRows() (all []row) {
	const first, alone = 200, 220
	add := func(number int, name string, fields []string) {
		const old = "	if !o.AsPublished {\n		return published{}"
		all = append(all, row{recipes.Row{Number: number, Name: name, Fit: "enveloping"}, "enveloping/solve.go", old,
			strings.Replace(old, "{}", "{"+strings.Join(fields, ": true, ")+": true}", 1)})
	}
	var fields []string
	for _, s := range publishedSteps {
		fields = append(fields, s.field)
	}
	add(first, "as published", fields)
	for k, s := range publishedSteps[:len(publishedSteps)-1] {
		add(first+1+k, fmt.Sprintf("as row %d, with %s", first+k, s.ours), fields[k+1:])
	}
	for k, s := range publishedSteps {
		add(alone+k, "the paper's step: "+s.paper, fields[k:k+1])
	}
	return all
}
