// Package contactsheet draws a model posed by several methods or fits side by side ([Compare]), from afar and near the
// largest error, and lays the pictures out as one sheet with headings and a legend of its heat maps ([Draw]).
package contactsheet
