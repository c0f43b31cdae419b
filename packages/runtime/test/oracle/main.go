// Answers questions about client-go and controller-runtime: reads a list of inputs as JSON, and prints the list of answers.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

var subjects = map[string]func(json.RawMessage) (any, error){
	"admission-body":    admissionBody,
	"delta-fifo":        deltaFIFO,
	"health":            health,
	"json-path":         jsonPath,
	"metrics":           exposedMetrics,
	"modify-kubeconfig": modifyKubeconfig,
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 || subjects[os.Args[1]] == nil {
		return fmt.Errorf("usage: oracle <subject>")
	}
	var inputs []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&inputs); err != nil {
		return err
	}
	answers := make([]any, 0, len(inputs))
	for _, input := range inputs {
		answer, err := subjects[os.Args[1]](input)
		if err != nil {
			return fmt.Errorf("%s: %w", input, err)
		}
		answers = append(answers, answer)
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}
