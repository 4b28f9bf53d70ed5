package command

import (
	"skinlab/render/viewer"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
)

// useSettings opens the window as it was last left, where the command line does not say otherwise. Pictures for scripts
// are the same for everybody, so --screenshot knows no settings. Broken settings are no reason not to open.
func (c *viewCommand) useSettings(opt *viewer.Options) error {
	if c.noInterface && c.path == "" {
		return usagef("--no-interface: only a --screenshot can leave the interface out")
	}
	path, err := settings.Path()
	if c.resetSettings && err == nil {
		err = settings.Reset(path)
	}
	if c.resetSettings && err != nil {
		return err
	}
	if c.path != "" {
		return nil
	}
	if err != nil {
		opt.Notice = "Settings are not kept: " + err.Error()
		return nil
	}
	kept, err := settings.Load(path)
	if err != nil {
		opt.Notice = "What could not be read of them is as in a new window. " + err.Error()
	}
	opt.Settings, opt.SettingsPath = &kept, path
	given := c.set.Changed
	if l, ok := state.ParseLayout(kept.Layout); ok && !given("layout") && !given("against") && !given("beside") {
		opt.Layout = l
	}
	opt.Clay = opt.Clay || kept.Clay && !given("clay")
	return nil
}
