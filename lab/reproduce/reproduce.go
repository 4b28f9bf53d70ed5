package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"skinlab/fit"
	"skinlab/lab/reproduce/pages"
	"skinlab/skinning"
	"skinlab/skinning/progress"
)

// Paper is a row of the table of papers.
type Paper struct {
	Name   string // on the command line: "hbr"
	Title  string // the paper's
	Source string // authors, place and year
	Lead   string // what the paper shows, in a sentence or two
	Fit    string // the row of the table of fits that the paper describes; "" for none
	// Differs are the steps of a paper without a fit that are not taken as published, a sentence each.
	Differs []string
	// Sections are in the paper's order.
	Sections []Section
}

// Section is a table, a figure or a measurement of a paper.
type Section struct {
	Name    string // the paper's: "Figure 8"
	Title   string
	Shows   string // what the paper's shows, in a sentence
	Missing string // the parts that are not made, and why
	Same    string // why as published and ours are the same here, a clause; "" where both are shown
	Command string // a command that makes the same by itself; "" for none
	// Make fills in the tables, charts, pictures and what they show. It is nil where nothing can be made.
	Make func(ctx context.Context, w *work, out *pages.Section) error
}

// Papers is the table of papers.
func Papers() []Paper { return []Paper{alns, rter, sbs, hbr, ebm} }

// Names lists the papers.
func Names() (names []string) {
	for _, p := range Papers() {
		names = append(names, p.Name)
	}
	return names
}

// Options choose the papers and how they are made.
type Options struct {
	Papers []string          // names; at least one
	Models []*skinning.Model // more rows for tables of models
	Folder string            // of the models that are not built in; a section does without those that are not there
	Fits   []*fit.Method     // the table of fits
	Quick  bool              // small sizes: minutes become seconds, and numbers are of no use
}

// Run makes the papers. If ctx is done, it returns the sections made so far, with ctx's error. Any other error names
// the paper and the section. Because it draws, it locks the calling goroutine to its thread.
func Run(ctx context.Context, opt Options) (*pages.Reproduction, error) {
	w := &work{opt: opt, made: map[string]any{}}
	defer w.close()
	out := &pages.Reproduction{Papers: []*pages.Paper{}}
	if opt.Quick {
		out.Quick = "Made with --quick: sizes are small, and the numbers say nothing but that all of it works."
	}
	var err error
	for _, p := range Papers() {
		for _, name := range opt.Papers {
			if name == p.Name && err == nil {
				err = w.paper(ctx, &p, out)
			}
		}
	}
	out.Renderer = w.info
	return out, err
}

// paper makes one paper's sections.
func (w *work) paper(ctx context.Context, p *Paper, out *pages.Reproduction) error {
	page := &pages.Paper{Name: p.Name, Title: p.Title, Source: p.Source, Lead: p.Lead,
		Differs: p.Differs}
	if p.Fit != "" {
		page.Differs = w.method(p.Fit).Differs
	}
	tell, end := progress.Begin(ctx, "reproducing "+page.Heading()+", part")
	defer end()
	for i, s := range p.Sections {
		made := &pages.Section{Name: s.Name, Title: s.Title, Shows: s.Shows, Missing: s.Missing, Same: s.Same,
			Command: s.Command}
		if s.Make != nil {
			tell(i, len(p.Sections))
			w.stage = page.Heading() + ", " + s.Name
			start := time.Now()
			err := s.Make(ctx, w, made)
			if ctx.Err() != nil {
				out.Stopped = w.stage
				if len(page.Sections) > 0 {
					out.Papers = append(out.Papers, page)
				}
				return ctx.Err()
			}
			if errors.Is(err, errNoPictures) {
				err = nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", w.stage, err)
			}
			made.Seconds = time.Since(start).Seconds()
		}
		page.Sections = append(page.Sections, made)
	}
	out.Papers = append(out.Papers, page)
	return nil
}
