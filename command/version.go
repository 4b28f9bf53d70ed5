package command

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/render/gpu"
)

// versionCommand prints the source that this binary was built from, and the renderer that would draw.
type versionCommand struct{ flags.Printer }

// build is the source revision of a binary, as far as the toolchain has recorded it.
type build struct {
	Version  string `json:"version"`  // of the module
	Revision string `json:"revision"` // of the source, "" where that is unknown
	Modified bool   `json:"modified"` // the source differed from the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
	GL       openGL `json:"gl"`
}

// openGL is the description of a context without a window, or the reason why there is no such context.
type openGL struct {
	Vendor   string `json:"vendor"`
	Renderer string `json:"renderer"`
	Version  string `json:"version"`
	Error    string `json:"error"`
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return readBuild(info)
}

// readBuild reads stamps. The version is a release, or the pseudo-version that the toolchain derives from the revision.
func readBuild(info *debug.BuildInfo) build {
	b := build{Version: info.Main.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = developmentBuild
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

const developmentBuild = "a development build"

// source is the revision, and says where the source differed from it.
func (b build) source() string {
	switch {
	case b.Revision == "":
		return "unknown"
	case b.Modified:
		return b.Revision + ", and changes to it"
	}
	return b.Revision
}

// String names the build in reports: its release, its commit or both.
func (b build) String() string {
	switch {
	case b.Revision == "":
		return b.Version
	case b.Version == developmentBuild || strings.Contains(b.Version, b.Revision[:min(12, len(b.Revision))]):
		return "commit " + b.source() // a pseudo-version says no more
	}
	return b.Version + ", commit " + b.source()
}

// readGL describes a context without a window. A missing context is a result too, not an error.
func readGL() (g openGL) {
	headless, err := gpu.NewHeadless()
	if err != nil {
		g.Error = err.Error()
		return g
	}
	defer headless.Close()
	info := gpu.ReadInfo()
	return openGL{Vendor: info.Vendor, Renderer: info.Renderer, Version: info.Version}
}

func (c *versionCommand) register(f *pflag.FlagSet) { c.Printer.Register(f) }

func (c *versionCommand) run(context.Context, []string) error {
	b := thisBuild()
	b.GL = readGL()
	return c.Print(&b, func(out io.Writer) {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "skinlab\t%s\n", b.Version)
		fmt.Fprintf(w, "revision\t%s\ngo\t%s, %s\n", b.source(), b.Go, b.Platform)
		if b.GL.Error != "" {
			fmt.Fprintf(w, "OpenGL\tnone: %s\n", b.GL.Error)
		} else {
			fmt.Fprintf(w, "OpenGL\t%s, %s, %s\n", b.GL.Version, b.GL.Renderer, b.GL.Vendor)
		}
		w.Flush()
	})
}

// addVersion has the flag --version do what the command does.
func addVersion(root *cobra.Command) {
	asked := root.Flags().Bool("version", false, "print what skinlab version prints, and quit")
	view := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !*asked {
			return view(cmd, args)
		}
		c := versionCommand{}
		c.JSON, _ = cmd.Flags().GetBool("json")
		return c.run(cmd.Context(), args)
	}
}
