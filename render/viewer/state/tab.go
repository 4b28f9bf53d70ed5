package state

var tabNames = [...]string{
	TabModel: "model", TabPose: "pose", TabErrors: "errors", TabSweep: "sweep", TabTiming: "timing", TabFit: "fit",
}

// String returns the page's name on the command line and in the settings.
func (t Tab) String() string { return tabNames[t] }

// ParseTab returns the page of a name.
func ParseTab(name string) (Tab, bool) {
	for t, n := range tabNames {
		if n == name {
			return Tab(t), true
		}
	}
	return 0, false
}
