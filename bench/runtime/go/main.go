// The reference of bench/runtime: the same work as queue.mjs and noop.mjs, with controller-runtime and client-go.
//
// Usage: runtime-bench <workload> <count>; prints one line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A workload processes the requests and returns when all are done.
type workload func(requests []reconcile.Request) error

var workloads = map[string]workload{
	"priority-fill":   fill(priorityQueue),
	"priority-steady": steady(priorityQueue),
	"plain-fill":      fill(plainQueue),
	"plain-steady":    steady(plainQueue),
	"noop":            noop,
	"noop-long":       noop,
}

type measurement struct {
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	PeakMB     float64 `json:"peakMB"`
}

func main() {
	if len(os.Args) != 3 || workloads[os.Args[1]] == nil {
		fail(fmt.Errorf("usage: runtime-bench <workload> <count>"))
	}
	count, err := strconv.Atoi(os.Args[2])
	fail(err)
	requests := make([]reconcile.Request, count)
	for i := range requests {
		requests[i].NamespacedName = types.NamespacedName{Namespace: "bench", Name: fmt.Sprintf("object-%07d", i)}
	}
	start, cpu := time.Now(), usage()
	fail(workloads[os.Args[1]](requests))
	seconds, after := time.Since(start).Seconds(), usage()
	fail(json.NewEncoder(os.Stdout).Encode(measurement{
		Seconds:    seconds,
		CPUSeconds: processorSeconds(after) - processorSeconds(cpu),
		PeakMB:     float64(after.Maxrss) / 1024,
	}))
}

func usage() (usage syscall.Rusage) {
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage
}

func processorSeconds(usage syscall.Rusage) float64 {
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
