package rig

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// envelopingKey is the name of proxy bones under extras.skinlab.
const envelopingKey = "enveloping"

// envelopingName is what people call one.
const envelopingName = "proxy bone"

// envelopingInfo is extras.skinlab.enveloping of a skin: some of its joints, the proxies, follow others, the masters
// ([Enveloping]). Joints and masters are joint numbers of the file; all other indices are into masters. The
// matrices have 16·P·J and 12·P·K numbers, which would be megabytes as digits, so they are encoded. They are text and
// not a buffer view, because programs that rewrite a file keep extras as they are, but renumber buffer views and drop
// those that they do not need.
//
// The driver does not depend on earlier frames. Near half a turn from its middle, a joint's rotation vector must jump,
// and the predictions of the vectors on both sides are blended ([JointRotations]). So clips can be baked as they play
// live, at any time and in any order.
type envelopingInfo struct {
	Joints  []int               `json:"joints"`  // P proxies
	Masters []int               `json:"masters"` // J
	Parents []int               `json:"parents"` // of the masters, −1 for none
	Middle  []float64           `json:"middle"`  // 3 a master: the rotation vector that theirs are counted near
	Keys    []envelopingKeyInfo `json:"keys"`    // K, at least P: the first P are of the proxies' own groups
	Shear   packedNumbers       `json:"shear"`   // 9×7 a key
	C1      packedNumbers       `json:"c1"`      // 4P×3K
	C2      packedNumbers       `json:"c2"`      // 4P×4J
	// Where rest positions are measured from in c1 and c2, x y z, metres: see [Enveloping.about]. Left out for
	// where they are anyway.
	Origin []float64 `json:"origin,omitempty"`
}

// envelopingKeyInfo is a [GradientKey] but for its shear.
type envelopingKeyInfo struct {
	Joints []int     `json:"joints"` // that turn it: one or two
	U      []float64 `json:"u"`      // one a joint
	W      []float64 `json:"w"`      // a unit quaternion, x y z w, a joint
	Shear  []int     `json:"shear"`  // the joints that the shear is linear in; the second may be −1
}

// packedNumbers are float32 numbers as a text: little-endian, base64 (RFC 4648, section 4, with padding).
type packedNumbers []float64

// MarshalJSON implements [json.Marshaler].
func (p packedNumbers) MarshalJSON() ([]byte, error) {
	raw := make([]byte, 0, 4*len(p))
	for _, v := range p {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	out := make([]byte, base64.StdEncoding.EncodedLen(len(raw))+2)
	out[0], out[len(out)-1] = '"', '"'
	base64.StdEncoding.Encode(out[1:], raw)
	return out, nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *packedNumbers) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf("no numbers in base64: %s", messages.Shortened(err.Error()))
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return fmt.Errorf("no numbers in base64: %s", messages.Shortened(err.Error()))
	}
	if len(raw)%4 != 0 {
		return fmt.Errorf("%d bytes are no whole numbers", len(raw))
	}
	*p = make(packedNumbers, len(raw)/4)
	for i := range *p {
		(*p)[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return nil
}

// Encode implements [skinning.Rig]. It writes c₁ and c₂ about the middle of a model that is far from the origin
// ([Enveloping.about]).
func (r *Enveloping) Encode(m *skinning.Model) any {
	info := &envelopingInfo{Joints: r.Proxies, Masters: r.Masters, Parents: r.Parents, C1: r.C1, C2: r.C2}
	if middle, far := m.RestMiddle(); far {
		info.C1, info.C2 = r.about(middle)
		info.Origin = middle[:]
	}
	for b := range r.Masters {
		info.Middle = append(info.Middle, r.Middle[b][:]...)
	}
	for l := range r.Keys {
		k := &r.Keys[l]
		key := envelopingKeyInfo{Shear: []int{k.First, k.Second}}
		for _, t := range k.Terms {
			key.Joints, key.U, key.W = append(key.Joints, t.Joint), append(key.U, t.U), append(key.W, t.W[:]...)
		}
		info.Keys = append(info.Keys, key)
		for n := range k.Shear {
			info.Shear = append(info.Shear, k.Shear[n][:]...)
		}
	}
	return info
}

// Bounds of the numbers of a controller, so that no pose gives NaN. The numbers of fits are far inside.
const (
	mostTurn   = 1e3  // radians of a middle; times that a surface turns as far as a joint
	mostFactor = 1e12 // of entries of matrices
	mostLength = 1e18 // metres of c₁ and c₂, some of whose entries are as long as the model
	MostFar    = 1e9  // metres from the origin
)

// readEnveloping is [skinning.RigKind.Read] of proxy bones.
func readEnveloping(text []byte, count int) (skinning.Rig, error) {
	var info envelopingInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return nil, fmt.Errorf("not understood: %s", messages.Shortened(err.Error()))
	}
	if len(info.Joints) == 0 {
		return nil, nil
	}
	rig, err := info.rig(count)
	if err != nil {
		return nil, fmt.Errorf("%s", messages.Shortened(err.Error()))
	}
	return rig, nil
}

// rig makes a rig for a skin of count joints and checks the sizes and ranges of its lists. [Enveloping.Validate] checks
// the rest.
func (e *envelopingInfo) rig(count int) (*Enveloping, error) {
	masters, p, keys := len(e.Masters), len(e.Joints), len(e.Keys)
	if len(e.Middle) != 3*masters || keys < p || len(e.Shear) != 63*keys {
		return nil, fmt.Errorf("enveloping: %d masters and %d joints with middle of %d, keys of %d and shear of %d numbers",
			masters, p, len(e.Middle), keys, len(e.Shear))
	}
	if n := len(e.Origin); n != 0 && n != 3 {
		return nil, fmt.Errorf("enveloping: origin of %d numbers", n)
	}
	if len(e.C1) != 12*p*keys || len(e.C2) != 16*p*masters {
		return nil, fmt.Errorf("enveloping: c1 of %d and c2 of %d numbers for %d joints, %d keys and %d masters", len(e.C1),
			len(e.C2), p, keys, masters)
	}
	for _, list := range []struct {
		name   string
		values []float64
		most   float64
	}{{"middle", e.Middle, mostTurn}, {"shear", e.Shear, mostFactor}, {"c1", e.C1, mostLength}, {"c2", e.C2, mostLength},
		{"origin", e.Origin, MostFar}} {
		for n, v := range list.values {
			if !(math.Abs(v) <= list.most) {
				return nil, fmt.Errorf("enveloping: %s: number %d is %g", list.name, n, v)
			}
		}
	}
	rig := &Enveloping{Parents: e.Parents, C1: e.C1, C2: e.C2, Keys: make([]GradientKey, keys)}
	for _, j := range slices.Concat(e.Masters, e.Joints) {
		if j < 0 || j >= count {
			return nil, fmt.Errorf("enveloping: joint %d does not exist, the skin has %d", j, count)
		}
		rig.Masters = append(rig.Masters, j)
	}
	rig.Masters, rig.Proxies = rig.Masters[:masters:masters], rig.Masters[masters:]
	if len(e.Origin) > 0 {
		rig.C1, rig.C2 = rig.about(mgl64.Vec3(e.Origin).Mul(-1))
	}
	for m := range masters {
		rig.Middle = append(rig.Middle, [3]float64(e.Middle[3*m:]))
	}
	for l := range e.Keys {
		k := &e.Keys[l]
		n := len(k.Joints)
		if n < 1 || n > 2 || len(k.U) != n || len(k.W) != 4*n || len(k.Shear) != 2 {
			return nil, fmt.Errorf("enveloping: key %d: %d joints with %d u, %d numbers of w, and shear of %d joints", l, n,
				len(k.U), len(k.W), len(k.Shear))
		}
		key := &rig.Keys[l]
		key.First, key.Second = k.Shear[0], k.Shear[1]
		for t := range k.Joints {
			w := geom.Quat(k.W[4*t:])
			if !(math.Abs(k.U[t]) <= mostTurn) || !(math.Abs(w.Dot(w)-1) <= 1e-3) {
				return nil, fmt.Errorf("enveloping: key %d: u %g and w %v", l, k.U[t], w)
			}
			key.Terms = append(key.Terms, RotationTerm{Joint: k.Joints[t], U: k.U[t], W: w})
		}
		for n := range key.Shear {
			key.Shear[n] = [7]float64(e.Shear[63*l+7*n:])
		}
	}
	return rig, nil
}
