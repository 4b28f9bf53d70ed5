package measure

import "skinlab/render/viewer/state"

// OfPane returns the row of what a pane shows.
func OfPane(p state.Pane) int { return Index(p.Method, p.Method == state.BlendBones, p.Beside) }

// PaneOf is the inverse of OfPane.
func PaneOf(row int) state.Pane {
	m, blend, beside := RowOf(row)
	if blend {
		m = state.BlendBones
	}
	return state.Pane{Method: m, Beside: beside}
}
