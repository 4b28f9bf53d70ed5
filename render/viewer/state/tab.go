package state

// Tab is a page of the panel at the right, by its name on the command line and in the settings: its heading in small
// letters.
type Tab string

// The pages that more than the page itself speaks of.
const (
	TabModel  Tab = "model"
	TabPose   Tab = "pose"
	TabErrors Tab = "error"
	TabTiming Tab = "time"
	TabFit    Tab = "fit"

	TabHelpers Tab = "helper"
	TabBody    Tab = "body"
)
