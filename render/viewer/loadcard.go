package viewer

import (
	"path/filepath"
	"time"

	"skinlab/render/ui"
)

// loadingCard shows how far a load is, with a button that cancels it.
func (a *app) loadingCard(r ui.Rect, now time.Time) {
	u := a.ui
	step, share := a.files.loading.progress()
	if step == "" {
		step = "Loading"
	}
	seconds := now.Sub(a.files.since).Seconds()
	text := a.line.Start().S(step).S(", ").F(seconds, 1).S(" s").View()
	if u.ProgressCard(itemCancelLoad, r, filepath.Base(a.files.path), text, share, seconds) {
		a.cancelLoad()
	}
}

// openSources watches the files that the window was opened with.
func (a *app) openSources() {
	if a.opt.Screenshot != "" {
		return
	}
	a.files.source = newSource(a.opt.Files, a.opt.Path)
	a.files.watcher.watch(watchFirst, a.files.source.files, a.files.source.stamps)
	a.remember(a.opt.Path)
	if a.beside != nil {
		a.files.besideSource = newSource(a.opt.Files, a.opt.BesidePath)
		a.files.watcher.watch(watchBeside, a.files.besideSource.files, a.files.besideSource.stamps)
		a.remember(a.opt.BesidePath)
	}
	if a.opt.Files != nil {
		go a.files.watcher.run(a.ctx, watchPause)
	}
	if a.opt.Notice != "" {
		a.notify("Settings", a.opt.Notice, adviceTime)
	}
}
