// Package assets opens models: files and built-in ones. It knows what a model is made of, and which files may be
// written. It knows no GL.
//
// What is in a file is read by package gltf; fault says what is wrong with one. Package gltf/export writes a fitted
// model as plain glTF, with what gltf/bake samples of its clips. Shapes are read and written by obj, poses by
// posefile, and all files are written by atomicfile.
package assets
