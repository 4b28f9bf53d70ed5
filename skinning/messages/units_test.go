package messages

import "testing"

func TestLengthUnit(t *testing.T) {
	for metres, want := range map[float64]string{176: "m", 10: "m", 9.9: "mm", 0.0362: "mm", 1e-4: "mm", 2e-5: "µm",
		0: "µm"} {
		name, perMetre := LengthUnit(metres)
		if name != want || perMetre != map[string]float64{"m": 1, "mm": 1e3, "µm": 1e6}[name] {
			t.Errorf("%g m are given in %s, %g a metre; want %s", metres, name, perMetre, want)
		}
	}
}
