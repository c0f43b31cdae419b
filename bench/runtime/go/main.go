// The reference of bench/runtime: the same work as queue.mjs, noop.mjs, and cluster-workloads.mjs, with controller-runtime and client-go.
//
// Usage: runtime-bench <workload> <count> [<kubeconfig> <namespace>]; prints one line of JSON.
package main

import (
	"fmt"
	"os"
	"strconv"

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

func main() {
	if len(os.Args) == 5 && clusterWorkloads[os.Args[1]] != nil {
		measureCluster(os.Args[1], countOf(os.Args[2]), os.Args[3], os.Args[4])
		return
	}
	if len(os.Args) != 3 || workloads[os.Args[1]] == nil {
		fail(fmt.Errorf("usage: runtime-bench <workload> <count> [<kubeconfig> <namespace>]"))
	}
	requests := make([]reconcile.Request, countOf(os.Args[2]))
	for i := range requests {
		requests[i].NamespacedName = types.NamespacedName{Namespace: "bench", Name: objectName(i)}
	}
	watch := startWatch()
	fail(workloads[os.Args[1]](requests))
	watch.stop().print()
}

func objectName(index int) string {
	return fmt.Sprintf("object-%07d", index)
}

func countOf(word string) int {
	count, err := strconv.Atoi(word)
	fail(err)
	return count
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
