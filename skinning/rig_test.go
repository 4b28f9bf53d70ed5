package skinning

func blendOf(m *Model) *BlendRig { return RigOf[*BlendRig](m) }

func envelopeOf(m *Model) *EnvelopeRig { return RigOf[*EnvelopeRig](m) }

// boneDriverOf returns the kernels of a frame whose model has one rig, of blend bones.
func boneDriverOf(f *Frame) *boneDriver { return f.drivers[0].driver.(*blendDriver).kernels }

// proxyDriverOf returns the driver of a frame whose model has one rig, of proxies.
func proxyDriverOf(f *Frame) *proxyDriver { return f.drivers[0].driver.(*proxyDriver) }
