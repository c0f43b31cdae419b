package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
)

type healthInput struct {
	// Checks has the error of each check, empty for one that passes.
	Checks map[string]string `json:"checks"`
	Target string            `json:"target"`
}

// health answers a request like the health endpoint of a manager.
func health(raw json.RawMessage) (any, error) {
	var input healthInput
	if err := json.Unmarshal(raw, &input); err != nil {
		return nil, err
	}
	checks := map[string]healthz.Checker{}
	for name, failure := range input.Checks {
		checks[name] = func(*http.Request) error {
			if failure == "" {
				return nil
			}
			return errors.New(failure)
		}
	}
	handler := http.StripPrefix("/healthz", &healthz.Handler{Checks: checks})
	mux := http.NewServeMux()
	mux.Handle("/healthz", handler)
	mux.Handle("/healthz/", handler)
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, input.Target, nil))
	return map[string]any{"status": recorder.Code, "body": recorder.Body.String()}, nil
}
