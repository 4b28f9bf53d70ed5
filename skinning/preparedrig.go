package skinning

import "skinlab/skinning/simd"

// preparedRig is a rig as the kernels read it. All frames of a model share it, and it never changes.
type preparedRig struct {
	rig    *EnvelopeRig // that it is of
	sizes  rigSizes     // as that was then
	keys   []simd.KeyGroup
	read   []bool // the masters whose rotation vectors keys read
	blocks proxyBlocks
}

// rigSizes bounds what the kernels read and write of a rig and its frames.
type rigSizes struct{ masters, keys, proxies, c1, c2 int }

func sizesOf(r *EnvelopeRig) rigSizes {
	return rigSizes{len(r.Masters), len(r.Keys), len(r.Proxies), len(r.C1), len(r.C2)}
}

// Prepare lets the frames of all models with this rig drive its proxies by kernels. Call it once the rig is complete
// and has been validated; who copies it and changes the copy calls it for that again.
func (r *EnvelopeRig) Prepare() {
	r.prepared = &preparedRig{rig: r, sizes: sizesOf(r), keys: newKeyGroups(r.Keys), read: readBy(r.Keys, len(r.Masters)),
		blocks: newProxyBlocks(r)}
}

// ready returns what was prepared where a level has kernels, nil where the rig is another than the one that it is of, or
// of other sizes.
func (r *EnvelopeRig) ready(level simd.Level) *preparedRig {
	if level == simd.Scalar || r.prepared == nil || r.prepared.rig != r || r.prepared.sizes != sizesOf(r) {
		return nil
	}
	return r.prepared
}
