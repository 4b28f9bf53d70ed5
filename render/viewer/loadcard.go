package viewer

import (
	"path/filepath"
	"time"

	"skinlab/render/ui"
)

// loadingCard shows how far a load is, with a button that cancels it.
func (a *app) loadingCard(r ui.Rect, now time.Time) {
	u := a.ui
	step, share := a.loading.progress()
	if step == "" {
		step = "Loading"
	}
	seconds := now.Sub(a.loadingSince).Seconds()
	text := a.line.Start().S(step).S(", ").F(seconds, 1).S(" s").View()
	u.BeginPanel(panelMessage, r, false)
	cancel, button := u.ProgressCard(1, r, filepath.Base(a.loadingPath), text, share, seconds)
	u.EndPanel()
	a.cancelAt = button
	if cancel {
		a.cancelLoad()
	}
}

// openSources watches the files that the window was opened with.
func (a *app) openSources() {
	if a.opt.Screenshot != "" {
		return
	}
	a.source = newSource(a.opt.Files, a.opt.Path)
	a.watcher.watch(watchFirst, a.source.files, a.source.stamps)
	a.remember(a.opt.Path)
	if a.beside != nil {
		a.besideSource = newSource(a.opt.Files, a.opt.BesidePath)
		a.watcher.watch(watchBeside, a.besideSource.files, a.besideSource.stamps)
		a.remember(a.opt.BesidePath)
	}
	if a.opt.Files != nil {
		go a.watcher.run(a.ctx, watchPause)
	}
	if a.opt.Notice != "" {
		a.notify("Settings", a.opt.Notice, adviceTime)
	}
}

func (a *app) filesSnapshot() FilesSnapshot {
	step, share := "", 0.0
	if a.loading != nil {
		step, share = a.loading.progress()
	}
	return FilesSnapshot{
		Path: a.source.path, Beside: a.besideSource.path, Step: step, Share: share, Menu: a.menu.open, Notice: a.notice, Cancel: a.cancelAt,
		Open: a.menu.at.open, Recent: a.menu.at.recent, Reset: a.menu.at.reset, Asking: a.asking,
	}
}
