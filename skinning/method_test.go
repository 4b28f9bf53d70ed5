package skinning

import (
	"slices"
	"strings"
	"testing"
)

// Every row of the table is whole, and no two are taken for each other.
func TestMethodRows(t *testing.T) {
	seen := make(map[any]Method)
	for _, m := range Methods() {
		r := m.row()
		if r.note == "" || r.cost.Bars < 1 || r.cost.Bars > 4 || r.cost.Class == "" || r.shader == "" || r.reference == nil ||
			r.evaluate == nil || r.kernel == nil {
			t.Errorf("%v: the row %+v has gaps", m, *r)
		}
		if r.drive != nil && !r.operator || r.losesScale && !r.operator {
			t.Errorf("%v is no operator, but says how it would be one", m)
		}
		for _, key := range []any{r.name, r.short, r.title, r.color} {
			if other, ok := seen[key]; ok || key == "" {
				t.Errorf("%v and %v share %q", other, m, key)
			}
			seen[key] = m
		}
		if got, err := ParseMethod(r.name); err != nil || got != m {
			t.Errorf("%q is read as %v: %v", r.name, got, err)
		}
		if slices.Contains(Operators(), m) != r.operator {
			t.Errorf("%v among the operators: %t", m, !r.operator)
		}
	}
	if _, err := ParseMethod("nope"); err == nil || !strings.Contains(err.Error(), ListMethods(Methods(), Method.String, ", ", ", ")) {
		t.Errorf("an unknown name: %v", err)
	}
}

// What is asked of a method that is none panics with its number, and does nothing else.
func TestUnknownMethodPanics(t *testing.T) {
	m := randomModel(4, 3, 2, 1)
	f, none := NewFrame(m, nil), Method(len(methods))
	out := NewOutput(m)
	s := NewStream(out.Positions, out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
	for name, ask := range map[string]func(){
		"PoseStream": func() { f.PoseStream(&s, none) },
		"Reference":  func() { f.Blend(none, []Influence{{1, 1}}, 0) },
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
		if got := ListMethods(Methods()[:n], Method.String, ", ", " or "); got != want {
			t.Errorf("%d methods are %q, expected %q", n, got, want)
		}
	}
}
