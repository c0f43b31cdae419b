// Command oracle answers questions of the differential tests with controller-gen's own packages: what it generates
// for Go packages, how it reads the arguments of markers, how it prints values as YAML, and how it forms plurals.
//
// The first argument names the subject; the questions stand on standard input and the answers on standard output, as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

var subjects = map[string]func([]byte) (any, error){
	"generate": generate,
	"markers":  parseMarkers,
	"yaml":     printYAML,
	"plurals":  formPlurals,
}

func main() {
	if len(os.Args) != 2 || subjects[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: oracle generate|markers|yaml|plurals <questions.json >answers.json")
		os.Exit(2)
	}
	if err := answer(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(subject string) error {
	questions, err := readAll(os.Stdin)
	if err != nil {
		return err
	}
	// The packages below print warnings of their own, which must not stand among the answers.
	output := os.Stdout
	os.Stdout = os.Stderr
	answers, err := subjects[subject](questions)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(answers)
}
