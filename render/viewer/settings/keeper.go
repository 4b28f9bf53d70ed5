package settings

import (
	"sync"
	"time"
)

// Keeper writes the settings of a window to a file when they have changed.
type Keeper struct {
	Path     string // "" if settings are not kept
	Settings Settings
	Later    func(job func())              // runs a job on the window's goroutine
	Complain func(title string, err error) // tells the user, once, that settings cannot be kept

	fresh   Choices   // the latest, not yet written
	since   time.Time // of their last change
	changed bool      // what is no choice has changed: the list of recent files

	writing  sync.WaitGroup
	mu       sync.Mutex // lets one goroutine write at a time
	reported bool
}

// quiet is how long settings must stay the same to be written: a drag would write them for every pixel.
const quiet = 2 * time.Second

// Keep writes changed settings once they have not changed for a while.
func (k *Keeper) Keep(c Choices, now time.Time) {
	if k.Path == "" {
		return
	}
	if c != k.fresh {
		k.fresh, k.since = c, now
	}
	if (c != k.Settings.Choices || k.changed) && now.Sub(k.since) >= quiet {
		k.write(c)
	}
}

// write writes the settings on a goroutine of its own.
func (k *Keeper) write(c Choices) {
	k.Settings.Choices, k.changed = c, false
	all, path := k.Settings, k.Path
	k.writing.Go(func() {
		k.mu.Lock()
		err := all.Save(path)
		k.mu.Unlock()
		if err != nil {
			k.Later(func() {
				if !k.reported {
					k.reported = true
					k.Complain("Settings are not kept", err)
				}
			})
		}
	})
}

// Close writes what has not been written and waits until it is. Choices is nil for a window that was never shown.
func (k *Keeper) Close(choices func() Choices) {
	if k.Path != "" && choices != nil {
		if c := choices(); c != k.Settings.Choices || k.changed {
			k.write(c)
		}
	}
	k.writing.Wait()
}

// Reset makes other settings the kept ones, without recent files.
func (k *Keeper) Reset(to Settings) { k.Settings, k.changed = to, true }

// Newest returns the newest recent file, "" for none.
func (k *Keeper) Newest() string {
	if len(k.Settings.Recent) == 0 {
		return ""
	}
	return k.Settings.Recent[0]
}

func (k *Keeper) AddRecent(path string) {
	if k.Settings.addRecent(path) {
		k.changed, k.since = true, time.Now()
	}
}

func (k *Keeper) DropRecent(path string) {
	k.Settings.dropRecent(path)
	k.changed = true
}
