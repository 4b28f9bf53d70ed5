// Package clients runs glTF files in other people's programs, for tests. Three.js, Babylon.js and Blender pose a file
// at given clips and times, and return the positions of its skinned vertices. The scripts that they run are in
// assets/gltf/export/testdata/clients.
package clients

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Client is a program that plays glTF.
type Client struct {
	Name    string
	command []string // run in the folder of the scripts
	npm     bool     // its packages come from npm
}

// All returns every client.
func All() []Client { return []Client{ThreeJS(), babylonJS(), Blender()} }

// ThreeJS poses with float64 matrices.
func ThreeJS() Client { return Client{"three.js", []string{"node", "three.mjs"}, true} }

// babylonJS poses with float32 matrices, in a mirrored space.
func babylonJS() Client { return Client{"Babylon.js", []string{"node", "babylon.mjs"}, true} }

// Blender poses the result of its importer: an armature of bones that are bound without scale. Between keys,
// quaternions are blended component by component.
func Blender() Client {
	return Client{"Blender",
		[]string{"blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P", "blender.py"}, false}
}

// Ready prepares the folder of the scripts for a client. The error says what is missing on this machine.
func (c Client) Ready(ctx context.Context, folder string) error {
	if c.npm {
		return Install(ctx, folder)
	}
	version, err := exec.CommandContext(ctx, "blender", "--version").Output()
	if err != nil {
		return fmt.Errorf("blender does not run here: %w", err)
	}
	first, _, _ := bytes.Cut(version, []byte("\n"))
	if !bytes.HasPrefix(first, []byte("Blender 3.")) {
		return fmt.Errorf("%s is installed, and only the importer of Blender 3 is known", first)
	}
	// Debian's blender only recommends numpy, without which its importer does not load.
	const python = "import numpy"
	if exec.CommandContext(ctx, "blender", "-b", "--python-exit-code", "1", "--python-expr", python).Run() != nil {
		return fmt.Errorf("%s is installed without numpy for its Python: install python3-numpy", first)
	}
	return nil
}

// Install runs npm in the folder of the scripts, unless that was done before. The error says what is missing on this
// machine.
func Install(ctx context.Context, folder string) error {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is not installed", tool)
		}
	}
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return err
	}
	modules := filepath.Join(folder, "node_modules")
	mark := filepath.Join(modules, "installed")
	installed := func() bool {
		have, err := os.ReadFile(mark)
		return err == nil && bytes.Equal(have, lock)
	}
	if installed() {
		return nil
	}
	// Tests of two packages may run this at the same time. So each installs into its own folder, and renames it when it
	// is complete.
	if err := os.MkdirAll(modules, 0o755); err != nil {
		return err
	}
	own, err := os.MkdirTemp(modules, "install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(own, name), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	out, err := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--prefix", own).CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("npm cannot install it (%w): %s", err, lines[len(lines)-1])
	}
	if installed() {
		return nil
	}
	packages, err := os.ReadDir(filepath.Join(own, "node_modules"))
	for _, p := range packages {
		if err == nil {
			err = os.RemoveAll(filepath.Join(modules, p.Name()))
		}
		if err == nil {
			err = os.Rename(filepath.Join(own, "node_modules", p.Name()), filepath.Join(modules, p.Name()))
		}
	}
	if err != nil {
		return err
	}
	return os.WriteFile(mark, lock, 0o644)
}

// Pose is an instant of a clip.
type Pose struct {
	Clip int     `json:"clip"` // −1 for the static pose
	Time float64 `json:"time"` // seconds
}

// Query asks for poses of a file.
type Query struct {
	File string `json:"file"` // a GLB
	// After shows all poses one after another in one scene, without a reset between two clips. Otherwise each clip is
	// shown in its own scene.
	After bool   `json:"after"`
	Poses []Pose `json:"poses"`
}

// Part is a skinned primitive as a client has it.
type Part struct {
	Node      int   `json:"node"`      // the file's node of the mesh
	Primitive int   `json:"primitive"` // of the mesh
	Count     int   `json:"count"`     // vertices
	Vertices  []int `json:"vertices"`  // their indices in the primitive; nil where the client keeps all of them
}

// Receive gets one pose of a query: the vertices of all parts, x, y and z in world space, in glTF's axes. The slices
// are valid only until it returns.
type Receive func(query, pose int, parts []Part, positions []float64) error

// Run poses files in a client, with its script in a folder, and reports every pose of every query, in order.
func (c Client) Run(ctx context.Context, folder string, queries []Query, receive Receive) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	input, err := json.Marshal(queries)
	if err != nil {
		return err
	}
	answers, end, err := os.Pipe()
	if err != nil {
		return err
	}
	defer answers.Close()
	var said bytes.Buffer
	command := exec.CommandContext(ctx, c.command[0], c.command[1:]...)
	command.Dir, command.Stdin, command.Stdout, command.Stderr = folder, bytes.NewReader(input), &said, &said
	command.ExtraFiles = []*os.File{end}
	err = command.Start()
	end.Close()
	if err != nil {
		return err
	}
	read := readAnswers(bufio.NewReaderSize(answers, 1<<20), queries, receive)
	if read != nil {
		answers.Close() // the client need not go on
	}
	if err := command.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %v: %s", c.Name, err, read, said.Bytes()[max(0, said.Len()-2000):])
	}
	if read != nil {
		return fmt.Errorf("%s: %w", c.Name, read)
	}
	return nil
}

func readAnswers(in *bufio.Reader, queries []Query, receive Receive) error {
	for q := range queries {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return err
		}
		var parts []Part
		if err := json.Unmarshal(line, &parts); err != nil {
			return err
		}
		count := 0
		for _, p := range parts {
			count += p.Count
		}
		raw, positions := make([]byte, 24*count), make([]float64, 3*count)
		for k := range queries[q].Poses {
			if _, err := io.ReadFull(in, raw); err != nil {
				return err
			}
			for i := range positions {
				positions[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
			}
			if err := receive(q, k, parts, positions); err != nil {
				return err
			}
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return fmt.Errorf("more than was asked for: %v", err)
	}
	return nil
}
