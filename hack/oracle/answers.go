package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobuffalo/flect"
	"sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	tools "sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

type markerQuestion struct {
	Target string `json:"target"`
	// Text is the whole marker, from its plus sign on.
	Text string `json:"text"`
}

type markerAnswer struct {
	// Known is false for a marker that controller-gen does not look at.
	Known bool   `json:"known"`
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

var targets = map[string]tools.TargetType{
	"package": tools.DescribesPackage,
	"type":    tools.DescribesType,
	"field":   tools.DescribesField,
}

func parseMarkers(text []byte) (any, error) {
	var questions []markerQuestion
	if err := json.Unmarshal(text, &questions); err != nil {
		return nil, err
	}
	registry := &tools.Registry{}
	for _, register := range []func(*tools.Registry) error{
		markers.Register, rbac.Generator{}.RegisterMarkers, webhook.Generator{}.RegisterMarkers, deepcopy.Generator{}.RegisterMarkers,
	} {
		if err := register(registry); err != nil {
			return nil, err
		}
	}
	answers := make([]markerAnswer, len(questions))
	for i, question := range questions {
		answers[i] = parseMarker(registry, question)
	}
	return answers, nil
}

func parseMarker(registry *tools.Registry, question markerQuestion) (result markerAnswer) {
	defer func() {
		if failure := recover(); failure != nil {
			result.Error = fmt.Sprintf("panic: %v", failure)
		}
	}()
	definition := registry.Lookup(question.Text, targets[question.Target])
	if definition == nil {
		return result
	}
	result.Known = true
	value, err := definition.Parse(question.Text)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = describeMarker(definition, value)
	return result
}

// printYAML prints each value, given as JSON text, as controller-gen prints its objects; null stands for what it cannot print.
func printYAML(text []byte) (any, error) {
	var questions []json.RawMessage
	if err := json.Unmarshal(text, &questions); err != nil {
		return nil, err
	}
	answers := make([]*string, len(questions))
	for i, question := range questions {
		output := &bytes.Buffer{}
		context := genall.GenerationContext{OutputRule: outputTo{output}}
		if err := context.WriteYAML("", "", []any{question}); err != nil {
			continue
		}
		answer := strings.TrimPrefix(output.String(), "---\n")
		answers[i] = &answer
	}
	return answers, nil
}

func formPlurals(text []byte) (any, error) {
	var kinds []string
	if err := json.Unmarshal(text, &kinds); err != nil {
		return nil, err
	}
	answers := make([]string, len(kinds))
	for i, kind := range kinds {
		answers[i] = strings.ToLower(flect.Pluralize(kind))
	}
	return answers, nil
}
