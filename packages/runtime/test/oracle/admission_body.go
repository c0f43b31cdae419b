package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type admissionInput struct {
	Body        string `json:"body"`
	Spaces      int    `json:"spaces"`
	ContentType string `json:"contentType"`
}

// admissionBody answers a body like a webhook server whose handler allows everything.
func admissionBody(raw json.RawMessage) (any, error) {
	log.SetLogger(logr.Discard())
	var input admissionInput
	if err := json.Unmarshal(raw, &input); err != nil {
		return nil, err
	}
	hook := &admission.Webhook{Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
		return admission.Allowed("")
	})}
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(input.Body+strings.Repeat(" ", input.Spaces)))
	if request.ContentLength == 0 {
		// As in a request that a server has received.
		request.Body = http.NoBody
	}
	request.Header.Set("Content-Type", input.ContentType)
	recorder := httptest.NewRecorder()
	hook.ServeHTTP(recorder, request)
	return map[string]any{"status": recorder.Code, "review": json.RawMessage(recorder.Body.Bytes())}, nil
}
