package viewer

import "skinlab/render/ui"

// askFont looks for a font of the system where a name has characters that the program's fonts lack. That takes a file
// of some megabytes and another program, so it is done once for all that a frame shows, while the next ones are drawn.
func (a *app) askFont() {
	if a.findingFont {
		return // what is missing meanwhile stays noted
	}
	wanted := a.ui.TakeMissing()
	if len(wanted) == 0 {
		return
	}
	a.findingFont = true
	go func() {
		fonts := ui.FindFonts(wanted)
		a.later(func() {
			a.findingFont = false
			for _, f := range fonts {
				a.ui.AddFont(f)
			}
		})
	}()
}
