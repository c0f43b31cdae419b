// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Widget has text
// over several lines,   with blanks,
//
//
// and paragraphs.
//   Indented line.
// TODO(someone): not in the text
// - a list
//
// ```
// TODO in a fence stays
// ---
// ```
// ---
// after the line nothing counts
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// One line: with a colon, "quotes" and a # sign.
	Colon string `json:"colon"`
	// Before the marker.
	// +optional
	// After the marker.
	Around string `json:"around"`
	// A line that is long enough that the printer of the schema has to fold it into two or more lines of text.
	Long string `json:"long"`

	// Not a description.
	// +optional

	// The description.
	Separated string `json:"separated"`
	// Ends before a line.
	//
	// ---
	// Not this.
	Cut string `json:"cut"`
	// Emoji 😀 and umlauts äöü.
	Unicode string `json:"unicode"`
	// 'single' quoted start
	Quoted string `json:"quoted"`
	None string `json:"none"`
	// 42
	Number string `json:"number"`
	// yes
	Word string `json:"word"`
}
