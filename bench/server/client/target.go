package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A connection says where the server is, and who the client is; certificates and keys are PEM.
type connection struct {
	Server string `json:"server"`
	CA     string `json:"ca"`
	Cert   string `json:"cert"`
	Key    string `json:"key"`
	Token  string `json:"token"`
}

// A target is the collection of ConfigMaps in one namespace.
type target struct {
	url    string
	token  string
	tls    *tls.Config
	client *http.Client
}

// Opens a connection, as the first request would.
func connect(at connection, namespace string) (target, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(at.CA)) {
		return target{}, fmt.Errorf("the config has no CA certificate")
	}
	config := &tls.Config{RootCAs: pool}
	if at.Cert != "" {
		pair, err := tls.X509KeyPair([]byte(at.Cert), []byte(at.Key))
		if err != nil {
			return target{}, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	url := strings.TrimSuffix(at.Server, "/") + "/api/v1/namespaces/" + namespace + "/configmaps"
	server := target{url: url, token: at.Token, tls: config, client: newClient(config)}
	return server, server.send("GET", "?limit=1", "", nil)
}

// HTTP/2 where the server offers it, as the client of client-go; otherwise no more connections than requests in flight, which stay open.
func newClient(config *tls.Config) *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:     config.Clone(),
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 100,
		MaxConnsPerHost:     createsInFlight,
	}}
}

// Sends a request, and reads the response to its end.
func (server target) send(method, path, contentType string, body []byte) error {
	response, err := server.open(server.client, method, path, contentType, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// Sends a request; fails if it is refused. The caller closes the body.
func (server target) open(client *http.Client, method, path, contentType string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(method, server.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	// Otherwise, the server would compress large lists.
	request.Header.Set("Accept-Encoding", "identity")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if server.token != "" {
		request.Header.Set("Authorization", "Bearer "+server.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		reason, _ := io.ReadAll(response.Body)
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, reason)
	}
	return response, nil
}
