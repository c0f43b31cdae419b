// Command client runs one workload of compare.mjs against an API server, and prints one line of JSON. It has nothing but the HTTP client of Go, so that
// the server takes most of the time.
// usage: client WORKLOAD COUNT NAMESPACE CONFIG
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

// A result has the figures of a workload; those that it does not measure are absent.
type result struct {
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
	P50Ms   float64 `json:"p50Ms,omitempty"`
	P99Ms   float64 `json:"p99Ms,omitempty"`
}

var workloads = map[string]func(target, int) (result, error){
	"create":  create,
	"list":    list,
	"watch":   watch,
	"apply":   apply,
	"latency": latency,
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("usage: client WORKLOAD COUNT NAMESPACE CONFIG")
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	work, ok := workloads[args[0]]
	if !ok {
		return fmt.Errorf("there is no workload %q", args[0])
	}
	config, err := os.ReadFile(args[3])
	if err != nil {
		return err
	}
	var at connection
	if err := json.Unmarshal(config, &at); err != nil {
		return err
	}
	server, err := connect(at, args[2])
	if err != nil {
		return err
	}
	measured, err := work(server, count)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(measured)
}
