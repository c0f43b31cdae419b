package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// A reconciler reads a Gadget from the cache; with writes, it updates the status of each new generation.
type reconciler struct {
	client client.Client
	writes bool
	seen   func(request ctrl.Request, generation int64)

	failures atomic.Int64
}

func (r *reconciler) setUp(mgr ctrl.Manager, workers int) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Gadget{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var gadget Gadget
	if err := r.client.Get(ctx, request.NamespacedName, &gadget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if r.writes && gadget.Status.ObservedGeneration != gadget.Generation {
		gadget.Status = GadgetStatus{Ready: true, ObservedGeneration: gadget.Generation}
		if err := r.client.Status().Update(ctx, &gadget); err != nil {
			r.failures.Add(1)
			return ctrl.Result{}, err
		}
	}
	r.seen(request, gadget.Generation)
	return ctrl.Result{}, nil
}

func (r *reconciler) failure() error {
	if count := r.failures.Load(); count > 0 {
		return fmt.Errorf("%d reconciles failed", count)
	}
	return nil
}

// A progress counts distinct requests.
type progress struct {
	mutex       sync.Mutex
	requests    map[ctrl.Request]struct{}
	count       int
	first, last time.Time
	complete    chan struct{}
}

func newProgress(count int) *progress {
	return &progress{requests: make(map[ctrl.Request]struct{}, count), count: count, complete: make(chan struct{})}
}

func (p *progress) add(request ctrl.Request) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	before := len(p.requests)
	if before == p.count {
		return
	}
	if before == 0 {
		p.first = time.Now()
	}
	p.requests[request] = struct{}{}
	if len(p.requests) == p.count {
		p.last = time.Now()
		close(p.complete)
	}
}

func (p *progress) wait(ctx context.Context) error {
	select {
	case <-p.complete:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d of %d requests were reconciled: %w", len(p.requests), p.count, ctx.Err())
	}
}

// The rate from the first request to the last.
func (p *progress) rate() float64 {
	return float64(p.count-1) / p.last.Sub(p.first).Seconds()
}

// An arrivals records when each generation of one object was first read.
type arrivals struct {
	mutex sync.Mutex
	name  string
	last  int64
	at    map[int64]time.Time
}

func newArrivals(name string) *arrivals {
	return &arrivals{name: name, at: map[int64]time.Time{}}
}

// A reconcile that reads a generation has read all earlier ones, too.
func (a *arrivals) add(request ctrl.Request, generation int64) {
	if request.Name != a.name {
		return
	}
	now := time.Now()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for ; a.last < generation; a.last++ {
		a.at[a.last+1] = now
	}
}

// The milliseconds from each time of sending to the arrival.
func (a *arrivals) since(sent map[int64]time.Time) []float64 {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delays := make([]float64, 0, len(sent))
	for generation, at := range sent {
		if arrival, found := a.at[generation]; found {
			delays = append(delays, arrival.Sub(at).Seconds()*1000)
		}
	}
	return delays
}
