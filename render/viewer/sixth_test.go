//go:build sixthmethod

package viewer

import (
	"slices"
	"strings"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// The method that the build tag adds has a key, a button, a row of errors, a row of times and a place among a fit's
// operators.
func TestSixthMethodInTheWindow(t *testing.T) {
	t.Parallel()
	all := skinning.Methods()
	sixth := all[len(all)-1]
	if sixth.String() != "sixth" || !slices.Contains(skinning.Operators(), sixth) {
		t.Fatalf("the last method is %v, a fit can imitate %v", sixth, skinning.Operators())
	}
	if !slices.ContainsFunc(commands(), func(c command) bool { return strings.Contains(c.does, sixth.Short()) }) {
		t.Error("the help of the keys does not name it")
	}
	w := openLive(t, "demo:box", "-child.time", "1.5")
	chosen := func(s *Snapshot) bool { return s.State.Method() == sixth }
	first := func() {
		w.do(t, "mousemove", "600", "300", "key", "1")
		w.until("the first method", func(s *Snapshot) bool { return s.State.Method() == skinning.LBS })
	}
	w.do(t, "mousemove", "600", "300", "key", strings.ReplaceAll(strings.ToLower(models.MethodKey(sixth)), " ", "+"))
	w.until("its key", chosen)
	first()
	w.clickOn("more", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelLeft, itemMore) })
	w.clickOn("its button", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelLeft, itemMethod+int(sixth)) })
	w.until("its button", chosen)
	first()
	w.do(t, "key", "v")
	s := w.until("the errors", func(s *Snapshot) bool {
		return s.State.Tab == state.TabErrors && s.item(errorpage.ItemRow).W > 0 && s.Errors.Measured
	})
	row := s.item(errorpage.ItemRow)
	row.Y += float32(sixth) * row.H
	w.click(row, 0.1)
	w.until("its errors of the twisted box", func(s *Snapshot) bool { return chosen(s) && s.Errors.EE[0] > 1 }) // percent
	w.do(t, "mousemove", "600", "300", "key", "t")
	w.until("its times", func(s *Snapshot) bool { return s.Timing.Costs[sixth] > 0 })
	if n := len(w.now().Timing.Costs); n != len(all)+1 {
		t.Errorf("%d costs of %d methods and the fit", n, len(all))
	}
}
