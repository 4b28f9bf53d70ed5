package skinning

// AgainstNormals counts the triangles of a part that wind against their normals: whose side that is seen counter-clockwise
// is the one that the sum of their vertices' normals leads away from. Triangles without an area do not count.
func (m *Mesh) AgainstNormals(p *Part) (count int) {
	for _, t := range m.Triangles[p.FirstTriangle : p.FirstTriangle+p.TriangleCount] {
		a, b, c := m.Positions[t[0]], m.Positions[t[1]], m.Positions[t[2]]
		n := m.Normals[t[0]].Add(m.Normals[t[1]]).Add(m.Normals[t[2]])
		if b.Sub(a).Cross(c.Sub(a)).Dot(n) < 0 {
			count++
		}
	}
	return count
}
