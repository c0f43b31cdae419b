package main

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// What the collector leaves after the work, and how long the process rests before it is read.
const settleTime = 2 * time.Second

type measurement struct {
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	PeakMB     float64 `json:"peakMB"`
	SettledMB  float64 `json:"settledMB,omitempty"`
	// After a collection that returns the memory to the system.
	CollectedMB float64 `json:"collectedMB,omitempty"`
	// Per second, without the start of the program.
	Rate  float64 `json:"rate,omitempty"`
	P50Ms float64 `json:"p50Ms,omitempty"`
	P99Ms float64 `json:"p99Ms,omitempty"`
}

// A stopwatch measures time and CPU time from its start to its stop.
type stopwatch struct {
	start time.Time
	cpu   syscall.Rusage
}

func startWatch() stopwatch {
	return stopwatch{start: time.Now(), cpu: usage()}
}

func (s stopwatch) stop() measurement {
	seconds, after := time.Since(s.start).Seconds(), usage()
	return measurement{
		Seconds:    seconds,
		CPUSeconds: processorSeconds(after) - processorSeconds(s.cpu),
		PeakMB:     float64(after.Maxrss) / 1024,
	}
}

// Reads the resident memory after the work, before and after a collection.
func (m measurement) settled() measurement {
	time.Sleep(settleTime)
	m.SettledMB = residentMB()
	runtime.GC()
	debug.FreeOSMemory()
	m.CollectedMB = residentMB()
	return m
}

func (m measurement) print() {
	fail(json.NewEncoder(os.Stdout).Encode(m))
}

func residentMB() float64 {
	stat, err := os.ReadFile("/proc/self/statm")
	fail(err)
	pages, err := strconv.ParseFloat(strings.Fields(string(stat))[1], 64)
	fail(err)
	return pages * float64(os.Getpagesize()) / (1 << 20)
}

func usage() (usage syscall.Rusage) {
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage
}

func processorSeconds(usage syscall.Rusage) float64 {
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}
