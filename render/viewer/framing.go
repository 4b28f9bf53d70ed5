package viewer

// fitCamera fits a camera that nobody has moved again when the view's shape changes.
func (a *app) fitCamera() {
	whole := a.pane(0).whole
	width, height := whole.W, whole.H
	if width <= 0 || height <= 0 || !a.framing.on || a.framing.aspect == width/height {
		return
	}
	a.framing.aspect = width / height
	a.camera.Frame(a.framing.lo, a.framing.hi, a.framing.aspect)
	caption := a.ui.Px(captionHeightOf(whole, a.ui.Px(1)))
	if height < 3*caption || !a.behindCaption(width, height, caption) {
		return
	}
	// The words over the picture would lie on the model: fit it into what is below them.
	below := height - caption*0.8 // the frame's own margin is the rest
	a.camera.Frame(a.framing.lo, a.framing.hi, width/below)
	a.camera.Distance *= height / below
	a.camera.Pan(0, (height-below)/2, height)
}

// behindCaption reports whether the box that the camera is fitted to reaches behind the words in the view's upper left
// corner, which are as high as caption.
func (a *app) behindCaption(width, height, caption float32) bool {
	lo, hi := a.camera.Extent(a.framing.lo, a.framing.hi, width/height)
	left, top := (lo[0]+1)/2*width, (1-hi[1])/2*height
	return left < a.ui.Px(captionWidth) && top < caption
}
