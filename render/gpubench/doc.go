// Package gpubench times posing and pictures on an OpenGL renderer ([Run]), in the rows of package skinning/bench.
package gpubench
