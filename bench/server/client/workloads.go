package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	createsInFlight = 32
	appliesInFlight = 8
	ratePerSecond   = 1000
	lists           = 5
	warmUp          = 3000
)

var textOf3KB = strings.Repeat("0123456789abcdef", 180)

// Creates ConfigMaps of about 3 KB, some at a time.
func create(server target, count int) (result, error) {
	startedAt := time.Now()
	err := inFlight(count, createsInFlight, func(index int) error { return createOne(server, index) })
	return result{Seconds: time.Since(startedAt).Seconds()}, err
}

// Reads a list of ConfigMaps at once, without parsing it; the time is the median of some.
func list(server target, _ int) (result, error) {
	var measured []result
	for range lists {
		startedAt := time.Now()
		response, err := server.open(server.client, "GET", "", "", nil)
		if err != nil {
			return result{}, err
		}
		size, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil {
			return result{}, err
		}
		measured = append(measured, result{Seconds: time.Since(startedAt).Seconds(), Bytes: size})
	}
	slices.SortFunc(measured, func(one, other result) int { return int((one.Seconds - other.Seconds) * 1e9) })
	return measured[lists/2], nil
}

// Applies each object twice, with another value.
func apply(server target, count int) (result, error) {
	startedAt := time.Now()
	for _, text := range []string{"first", "second"} {
		err := inFlight(count, appliesInFlight, func(index int) error {
			body := configMap(index, `"text":"`+text+`","other":"`+textOf3KB+`"`)
			path := "/" + objectName(index) + "?fieldManager=bench"
			return server.send("PATCH", path, "application/apply-patch+yaml", body)
		})
		if err != nil {
			return result{}, err
		}
	}
	return result{Seconds: time.Since(startedAt).Seconds()}, nil
}

// Sends creates at a steady rate, and measures the time of each from the moment at which it was due.
func latency(server target, count int) (result, error) {
	// The server compiles its code, and the client opens all its connections.
	err := inFlight(warmUp, createsInFlight, func(index int) error { return createOne(server, count+index) })
	if err != nil {
		return result{}, err
	}
	durations := make([]time.Duration, count)
	errors := make([]error, count)
	var pending sync.WaitGroup
	startedAt := time.Now()
	for index := range count {
		dueAt := startedAt.Add(time.Duration(index) * time.Second / ratePerSecond)
		time.Sleep(time.Until(dueAt))
		pending.Go(func() {
			errors[index] = createOne(server, index)
			durations[index] = time.Since(dueAt)
		})
	}
	pending.Wait()
	if at := slices.IndexFunc(errors, func(err error) bool { return err != nil }); at != -1 {
		return result{}, errors[at]
	}
	slices.Sort(durations)
	return result{P50Ms: percentile(durations, 50), P99Ms: percentile(durations, 99)}, nil
}

func percentile(sorted []time.Duration, percent int) float64 {
	return float64(sorted[min(len(sorted)-1, len(sorted)*percent/100)]) / float64(time.Millisecond)
}

func createOne(server target, index int) error {
	return server.send("POST", "", "application/json", configMap(index, `"text":"`+textOf3KB+`"`))
}

func configMap(index int, data string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q},"data":{%s}}`, objectName(index), data)
}

func objectName(index int) string {
	return fmt.Sprintf("object-%07d", index)
}

// Calls a function for each index, a number of them at a time, and returns the first error.
func inFlight(count, limit int, work func(index int) error) error {
	indexes := make(chan int)
	failures := make(chan error, limit)
	var workers sync.WaitGroup
	for range limit {
		workers.Go(func() {
			for index := range indexes {
				if err := work(index); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	defer workers.Wait()
	defer close(indexes)
	for index := range count {
		select {
		case indexes <- index:
		case err := <-failures:
			return err
		}
	}
	return nil
}
