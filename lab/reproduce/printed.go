package main

import (
	"bytes"
	_ "embed"
	"encoding/json"

	"skinlab/lab/reproduce/papers"
)

//go:embed printed.json
var printedText []byte

// printed has the numbers that are printed in the papers.
var printed = readPrinted()

// printedNumbers are the numbers of each paper, by its tables and figures.
type printedNumbers struct {
	ALNS struct {
		// Table2 is the weights of three vertices after the fit: of both joints and of the blend bone.
		Table2 [3][3]float64     `json:"table2"`
		Table3 []papers.TableRow `json:"table3"`
		Table4 []struct {
			Name                string
			Input, Full, Unseen float64 // EE, percent
		} `json:"table4"`
	} `json:"alns"`
	RTER struct {
		Table1 []struct {
			Name                             string
			Vertices, Joints, Proxies, Poses int
			Test                             string
			Flops                            float64 `json:"flops_m"` // millions
			SSDFlops                         float64 `json:"ssd_flops_m"`
			FPS                              float64
			SSDFPS                           float64 `json:"ssd_fps"`
			Memory                           float64 `json:"memory_k"` // kilobytes
			SSDMemory                        float64 `json:"ssd_memory_k"`
			Seconds                          float64 // of training
		} `json:"table1"`
	} `json:"rter"`
	// SBS is table 2 with the joints and vertices of table 1, and the woman's time with spherical averages: on one
	// processor at 2.5 GHz of 2004.
	SBS struct {
		Table2 []papers.SphericalRow `json:"table2"`
	} `json:"sbs"`
	HBR struct {
		// Section62 is seconds by number of bones: of an insertion, of weights, of motions, and of 20 iterations.
		Section62 map[int][4]float64 `json:"section6.2"`
		// Table1 is by degree, and in its columns by λ of 0, 10 and 20.
		Table1 [3]struct {
			Nonzeros [3]float64
			RMS      [3]float64 `json:"rms_cm"` // centimetres
		} `json:"table1"`
		Before    float64            `json:"before_cm"`     // RMS before controllers, centimetres
		Section63 float64            `json:"section6.3_us"` // microseconds a frame
		Figure6   map[int][2]float64 `json:"figure6_mm"`    // RMS before and after controllers, by number of bones
	} `json:"hbr"`
}

func readPrinted() *printedNumbers {
	d := json.NewDecoder(bytes.NewReader(printedText))
	d.DisallowUnknownFields()
	p := new(printedNumbers)
	if err := d.Decode(p); err != nil {
		panic(err) // the file is embedded: a bug
	}
	for i := range p.ALNS.Table3 {
		r := &p.ALNS.Table3[i]
		r.Ratio = map[string]float64{}
		for name, ms := range r.Blend {
			r.Ratio[name] = ms / r.LBS
		}
	}
	for i := range p.SBS.Table2 {
		r := &p.SBS.Table2[i]
		r.Ratio = r.SBS / r.LBS
		if r.Linear > 0 {
			r.AverageRatio = r.Average / r.Linear
		}
	}
	return p
}
