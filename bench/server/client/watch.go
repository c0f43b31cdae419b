package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

const watchers = 100

// Creates ConfigMaps until each of the watchers has received all of them. Watchers have their own connections, and do not parse events.
func watch(server target, count int) (result, error) {
	done := make(chan error, watchers)
	for range watchers {
		one, err := openWatch(server)
		if err != nil {
			return result{}, err
		}
		go func() { done <- one.read(count) }()
	}
	startedAt := time.Now()
	if err := inFlight(count, createsInFlight, func(index int) error { return createOne(server, index) }); err != nil {
		return result{}, err
	}
	for range watchers {
		if err := <-done; err != nil {
			return result{}, err
		}
	}
	return result{Seconds: time.Since(startedAt).Seconds()}, nil
}

// A watcher goes on after the last version that it has seen when the server ends its watch, as kube-apiserver does to watchers that it finds slow.
type watcher struct {
	server  target
	client  *http.Client
	version string
	body    io.ReadCloser
}

func openWatch(server target) (*watcher, error) {
	one := &watcher{server: server, client: newClient(server.tls), version: "0"}
	return one, one.open()
}

func (one *watcher) open() error {
	response, err := one.server.open(one.client, "GET", "?watch=true&timeoutSeconds=600&resourceVersion="+one.version, "", nil)
	if err == nil {
		one.body = response.Body
	}
	return err
}

func (one *watcher) read(count int) error {
	defer func() { one.body.Close() }()
	lines := bufio.NewReaderSize(one.body, 64<<10)
	for remaining := count; remaining > 0; {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == nil:
			remaining--
			one.version = versionIn(line)
		case errors.Is(err, io.EOF):
			one.body.Close()
			if err := one.open(); err != nil {
				return err
			}
			lines.Reset(one.body)
		default:
			return err
		}
	}
	return nil
}

var versionMark = []byte(`"resourceVersion":"`)

func versionIn(line []byte) string {
	_, after, _ := bytes.Cut(line, versionMark)
	version, _, _ := bytes.Cut(after, []byte{'"'})
	return string(version)
}
