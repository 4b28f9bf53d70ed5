// Package passes names the passes of a frame and times them. A [Timer] brackets each [Pass] with queries of the GPU's
// clock, or with wall time to glFinish where the CPU rasterises, reads them some frames later without waiting, and keeps
// the last [Samples] of each.
package passes
