package files

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWatcherReportsASettledChangeOnce(t *testing.T) {
	dir := t.TempDir()
	main, buffer := filepath.Join(dir, "a.gltf"), filepath.Join(dir, "a.bin")
	clock := time.Now()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		clock = clock.Add(time.Second) // some file systems count in seconds; the test does not wait for one
		if err := os.Chtimes(path, clock, clock); err != nil {
			t.Fatal(err)
		}
	}
	write(main, "1")
	write(buffer, "1")
	reports := 0
	w := &Watcher{Changed: func(int) { reports++ }}
	list := func(string) []string { return []string{main, buffer} }
	w.Watch(First, NewSource(list, main))
	look := func(what string, want int) {
		t.Helper()
		reports = 0
		w.look()
		if reports != want {
			t.Errorf("%s: %d reports, expected %d", what, reports, want)
		}
	}
	look("nothing happened", 0)
	write(main, "2")
	look("just saved", 0)
	look("at rest", 1)
	look("reported already", 0)
	write(buffer, "longer")
	look("the buffer saved", 0)
	write(buffer, "longer and longer")
	look("still being written", 0)
	look("at rest", 1)
	if err := os.Remove(main); err != nil {
		t.Fatal(err)
	}
	look("gone", 0)
	look("still gone", 0)
	write(main, "3")
	look("back", 0)
	look("back and at rest", 1)
	replacement := filepath.Join(dir, "b.gltf")
	write(replacement, "3")
	if err := os.Rename(replacement, main); err != nil {
		t.Fatal(err)
	}
	look("replaced", 0)
	look("replaced and at rest", 1)
	// What is saved between the stamp and the watch is seen.
	old := NewSource(list, main)
	write(main, "4")
	w.Watch(First, old)
	look("saved while it was read", 0)
	look("saved while it was read, at rest", 1)
	w.Watch(First, Source{})
	write(main, "5")
	look("watched no more", 0)
	look("watched no more", 0)
}
