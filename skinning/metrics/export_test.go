package metrics

// TrianglesOfRegion are the triangles of a region, for tests from outside.
func TrianglesOfRegion(r *Body) [][3]uint32 { return r.triangles }
