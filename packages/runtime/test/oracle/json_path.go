package main

import (
	"bytes"
	"encoding/json"
	"sort"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
)

type jsonPathCase struct {
	Template         string          `json:"template"`
	AllowMissingKeys bool            `json:"allowMissingKeys"`
	Value            json.RawMessage `json:"value"`
}

type jsonPathAnswer struct {
	// The selected values of each part, sorted, since Go's maps have no order.
	Values [][]string `json:"values"`
	Text   string     `json:"text"`
	Failed bool       `json:"failed"`
}

func jsonPath(input json.RawMessage) (any, error) {
	var given jsonPathCase
	if err := json.Unmarshal(input, &given); err != nil {
		return nil, err
	}
	var value any
	// Integers are of type int64, as in unstructured objects.
	if err := utiljson.Unmarshal(given.Value, &value); err != nil {
		return nil, err
	}
	template := jsonpath.New("oracle").AllowMissingKeys(given.AllowMissingKeys)
	if err := template.Parse(given.Template); err != nil {
		return jsonPathAnswer{Failed: true}, nil
	}
	found, err := template.FindResults(value)
	if err != nil {
		return jsonPathAnswer{Failed: true}, nil
	}
	answer := jsonPathAnswer{Values: [][]string{}}
	for _, part := range found {
		texts := []string{}
		for _, each := range part {
			text, err := json.Marshal(each.Interface())
			if err != nil {
				return nil, err
			}
			texts = append(texts, string(text))
		}
		sort.Strings(texts)
		answer.Values = append(answer.Values, texts)
	}
	// A template that has found its results has changed.
	printer := jsonpath.New("oracle").AllowMissingKeys(given.AllowMissingKeys)
	if err := printer.Parse(given.Template); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := printer.Execute(&text, value); err != nil {
		return jsonPathAnswer{Failed: true}, nil
	}
	answer.Text = text.String()
	return answer, nil
}
