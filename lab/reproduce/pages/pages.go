// Package pages writes papers whose tables and figures were reproduced as a folder of pages.
package pages

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"image/jpeg"
	"io"
	"path/filepath"
	"strings"

	"skinlab/assets/chart"
	"skinlab/assets/report"
)

// Reproduction is a list of papers whose tables and figures were reproduced. Its folder has a page for each paper, one
// that lists them, and data.json.
type Reproduction struct {
	Format  string   `json:"format"`  // [report.Format]; Write fills it in
	Version int      `json:"version"` // of the format; Write fills it in
	Files   []string `json:"files"`   // all files of the folder; Write fills them in

	Command  string   `json:"command"` // the command line that makes it
	Skinlab  string   `json:"skinlab"` // version
	Go       string   `json:"go"`      // version and system
	Made     string   `json:"made"`    // day
	CPU      string   `json:"cpu"`
	Load     string   `json:"load,omitempty"` // of the machine when the run began: what its times are worth
	Renderer string   `json:"renderer"`       // of the pictures, or the reason why there are none
	Quick    string   `json:"quick,omitempty"`
	Stopped  string   `json:"stopped,omitempty"` // the section at which the run was interrupted
	Papers   []*Paper `json:"papers"`
}

// Paper is a page of a [Reproduction].
type Paper struct {
	Name     string     `json:"name"`   // of its file, and what people call it in upper case
	Title    string     `json:"title"`  // the paper's
	Source   string     `json:"source"` // authors, place and year
	Lead     string     `json:"lead"`   // the paper's result, in a sentence or two
	Sections []*Section `json:"sections"`
	// Differs are the steps of the paper that ours takes its own way as published too, a sentence each.
	Differs []string `json:"differs,omitempty"`
}

// Section is the reproduction of a table or a figure of a paper, or the reason why it was not reproduced.
type Section struct {
	Name     string       `json:"name"`  // the paper's: "Figure 8"
	Title    string       `json:"title"` // of what it shows
	Shows    string       `json:"paper"` // the content of the paper's table or figure
	Found    string       `json:"ours,omitempty"`
	Missing  string       `json:"missing,omitempty"` // what could not be made, and why
	Same     string       `json:"same,omitempty"`    // why as published and ours are the same; "" where both are shown
	Command  string       `json:"command,omitempty"` // a command that makes the same by itself; "" for none
	Seconds  float64      `json:"seconds"`           // that it took to make
	Tables   []Table      `json:"tables,omitempty"`
	Charts   []SavedChart `json:"charts,omitempty"`
	Pictures []SavedStrip `json:"pictures,omitempty"`
	Data     any          `json:"data,omitempty"` // all values behind tables and charts
	charts   []*chart.Chart
	strips   []Strip
}

// Origin says whose numbers a row or a column has.
type Origin string

const (
	FromPaper Origin = "paper"        // printed in the paper
	Published Origin = "as published" // ours, by the paper's algorithm without our additions
	Ours      Origin = "ours"
)

// Table is text in cells: columns under headings, in groups, and rows behind names.
type Table struct {
	Title  string  `json:"title,omitempty"`
	Corner string  `json:"corner"` // the heading of the rows' names
	Groups []Group `json:"groups"`
	Rows   []Row   `json:"rows"`
	Note   string  `json:"note,omitempty"`
}

// Group is columns next to each other under one heading; "" for columns that have none.
type Group struct {
	Title   string   `json:"title"`
	Origin  Origin   `json:"origin,omitempty"` // of its numbers
	Columns []string `json:"columns"`
}

// Row is a line of a table. It has a cell for each column.
type Row struct {
	Name   string   `json:"name"`
	Origin Origin   `json:"origin,omitempty"` // of its numbers
	Cells  []string `json:"cells"`
}

// Strip is pictures side by side.
type Strip struct {
	Title string
	Cells []Cell
}

// Cell is a picture of a strip.
type Cell struct {
	Title, Note string
	Image       image.Image
}

// SavedChart and SavedStrip describe charts and pictures in data.json.
type SavedChart struct {
	File  string `json:"file"`
	Title string `json:"title"`
	Alt   string `json:"alt"`
}

// SavedStrip is a [Strip] in files.
type SavedStrip struct {
	Title string      `json:"title,omitempty"`
	Cells []SavedCell `json:"cells"`
}

// SavedCell is a [Cell] in a file.
type SavedCell struct {
	File   string `json:"file"`
	Title  string `json:"title"`
	Note   string `json:"note,omitempty"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// AddTable adds a table. It panics if a row does not have a cell for each column, which is a caller's bug.
func (s *Section) AddTable(t Table) {
	columns := 0
	for _, g := range t.Groups {
		columns += len(g.Columns)
	}
	for _, r := range t.Rows {
		if len(r.Cells) != columns {
			panic(fmt.Sprintf("pages: %s: row %q has %d cells for %d columns", s.Name, r.Name, len(r.Cells), columns))
		}
	}
	s.Tables = append(s.Tables, t)
}

// AddChart adds charts.
func (s *Section) AddChart(charts ...*chart.Chart) { s.charts = append(s.charts, charts...) }

// AddStrip adds pictures side by side; none are no strip.
func (s *Section) AddStrip(title string, cells []Cell) {
	if len(cells) > 0 {
		s.strips = append(s.strips, Strip{title, cells})
	}
}

// Heading returns the paper's short name: "HBR".
func (p *Paper) Heading() string { return strings.ToUpper(p.Name) }

// File returns the name of the paper's page.
func (p *Paper) File() string { return p.Name + ".html" }

// Made returns the number of the paper's tables and figures that were made, and the number of all.
func (p *Paper) Made() (made int) {
	for _, s := range p.Sections {
		if s.IsMade() {
			made++
		}
	}
	return made
}

// IsMade reports whether there is anything to see.
func (s *Section) IsMade() bool {
	return len(s.Tables)+len(s.Charts)+len(s.Pictures)+len(s.charts)+len(s.strips) > 0
}

// ID returns the section's anchor: "figure-8".
func (s *Section) ID() string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(s.Name)), "-")
}

// Write writes the folder and returns the page that lists the papers. It replaces what [report.Write] replaces, and
// writes whole or not at all as it does.
func Write(ctx context.Context, folder report.Folder, r *Reproduction) (page string, err error) {
	r.Format, r.Version = report.Format, report.FormatVersion
	err = folder.Write(ctx, r.fill)
	return filepath.Join(folder.Path, report.PageFile), err
}

// jpegQuality of the pictures: a cell of 300×220 pixels takes some 10 kB.
const jpegQuality = 86

func (r *Reproduction) fill(f *report.Files) error {
	for _, p := range r.Papers {
		for _, s := range p.Sections {
			if err := s.save(f, p.Name+"-"+s.ID()); err != nil {
				return err
			}
		}
		if err := f.Add(p.File(), func(w io.Writer) error { return r.page(w, p) }); err != nil {
			return err
		}
	}
	if err := f.Add(report.PageFile, func(w io.Writer) error { return r.page(w, nil) }); err != nil {
		return err
	}
	return f.AddData(r, &r.Files)
}

// save writes a section's charts and pictures.
func (s *Section) save(f *report.Files, name string) error {
	s.Charts, s.Pictures = nil, nil
	for i, c := range s.charts {
		file := fmt.Sprintf("%s-chart-%d.svg", name, i+1)
		if err := f.Add(file, func(w io.Writer) error { return chart.Write(w, file, c) }); err != nil {
			return err
		}
		s.Charts = append(s.Charts, SavedChart{file, c.Title, report.AltText(c)})
	}
	for i, strip := range s.strips {
		saved := SavedStrip{Title: strip.Title}
		for k, c := range strip.Cells {
			file := fmt.Sprintf("%s-%d%c.jpg", name, i+1, 'a'+k)
			err := f.Add(file, func(w io.Writer) error { return jpeg.Encode(w, c.Image, &jpeg.Options{Quality: jpegQuality}) })
			if err != nil {
				return err
			}
			size := c.Image.Bounds().Size()
			saved.Cells = append(saved.Cells, SavedCell{file, c.Title, c.Note, size.X, size.Y})
		}
		s.Pictures = append(s.Pictures, saved)
	}
	return nil
}

//go:embed pages.html
var reproductionText string

// reproductionView is the data of the template: a paper's page, or with no paper the list of all.
type reproductionView struct {
	*Reproduction
	Paper         *Paper
	Title         string
	Width, Height int // of charts
}

func (r *Reproduction) page(w io.Writer, p *Paper) error {
	t, err := report.NewPage(reproductionText)
	if err != nil {
		return err
	}
	v := reproductionView{r, p, "Five skinning papers, reproduced", chart.Width, chart.Height}
	if p != nil {
		v.Title = p.Heading() + ", reproduced: " + p.Title
	}
	return t.Execute(w, &v)
}

// Origins counts the columns of each group, for the headings over them, with the class that shows their origin.
func (t *Table) Origins() (classes []template.HTMLAttr) {
	for _, g := range t.Groups {
		for range g.Columns {
			classes = append(classes, template.HTMLAttr(g.Origin.attribute()))
		}
	}
	return classes
}

// Grouped reports whether any group has a heading.
func (t *Table) Grouped() bool {
	for _, g := range t.Groups {
		if g.Title != "" || g.Origin != "" {
			return true
		}
	}
	return false
}

// Heading returns what stands over a group: its title and its origin.
func (g Group) Heading() string {
	switch {
	case g.Title == "":
		return string(g.Origin)
	case g.Origin == "":
		return g.Title
	}
	return g.Title + ", " + string(g.Origin)
}

// Attribute returns the class of an origin.
func (o Origin) Attribute() template.HTMLAttr { return template.HTMLAttr(o.attribute()) }

func (o Origin) attribute() string {
	switch o {
	case FromPaper:
		return `class="paper"`
	case Published:
		return `class="published"`
	}
	return ""
}
