package state

// Tab is a page of the panel at the right, by its name on the command line and in the settings.
type Tab string

// The pages that more than the page itself speaks of.
const (
	TabModel  Tab = "model"
	TabPose   Tab = "pose"
	TabErrors Tab = "errors"
	TabTiming Tab = "timing"
	TabFit    Tab = "fit"

	TabHelpers Tab = "helpers"
	TabBody    Tab = "body"
)
