package skinning_test

import (
	"slices"
	"strings"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/kernel"
)

// Every row of the table is whole, and no two are taken for each other.
func TestMethodRows(t *testing.T) {
	seen := make(map[any]skinning.Method)
	for _, m := range skinning.Methods() {
		if gaps := m.RowGaps(); len(gaps) > 0 {
			t.Errorf("%v: the row lacks %v", m, gaps)
		}
		if (m.BoneKernel() != nil || m.LosesScale()) && !m.IsOperator() {
			t.Errorf("%v is no operator, but says how it would be one", m)
		}
		for _, key := range []any{m.String(), m.Short(), m.Title(), m.Color()} {
			if other, ok := seen[key]; ok || key == "" {
				t.Errorf("%v and %v share %q", other, m, key)
			}
			seen[key] = m
		}
		if got, err := skinning.ParseMethod(m.String()); err != nil || got != m {
			t.Errorf("%q is read as %v: %v", m.String(), got, err)
		}
		if slices.Contains(skinning.Operators(), m) != m.IsOperator() {
			t.Errorf("%v among the operators: %t", m, !m.IsOperator())
		}
	}
	if _, err := skinning.ParseMethod("nope"); err == nil ||
		!strings.Contains(err.Error(), skinning.ListMethods(skinning.Methods(), skinning.Method.String, ", ", ", ")) {
		t.Errorf("an unknown name: %v", err)
	}
}

// What is asked of a method that is none panics with its number, and does nothing else.
func TestUnknownMethodPanics(t *testing.T) {
	m := skinningtest.RandomModel(4, 3, 2, 1)
	f, none := skinning.NewFrame(m, nil), skinning.Method(len(skinning.Methods()))
	out := skinning.NewOutput(m)
	s := kernel.NewStream(out.Positions, out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
	for name, ask := range map[string]func(){
		"PoseStream": func() { f.PoseStream(&s, none) },
		"Reference":  func() { f.Blend(none, []skinning.Influence{{Joint: 1, Weight: 1}}, 0) },
		"Evaluate":   func() { f.Evaluate(none, []uint16{1}, []float64{1}) },
		"Reads":      func() { none.Reads() },
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, none.String()) {
					t.Errorf("%s panics with %q", name, said)
				}
			}()
			ask()
		}()
	}
}

func TestListMethods(t *testing.T) {
	for n, want := range []string{"", "lbs", "lbs or dqs", "lbs, dqs or sdqs"} {
		if got := skinning.ListMethods(skinning.Methods()[:n], skinning.Method.String, ", ", " or "); got != want {
			t.Errorf("%d methods are %q, expected %q", n, got, want)
		}
	}
}
