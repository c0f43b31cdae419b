package main

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Runs a controller with one worker until it has reconciled each request of its source.
func noop(requests []reconcile.Request) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	remaining := len(requests)
	reconciler := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		remaining--
		if remaining == 0 {
			stop()
		}
		return reconcile.Result{}, nil
	})
	c, err := controller.NewTypedUnmanaged("bench", controller.Options{
		Reconciler:     reconciler,
		LogConstructor: func(*reconcile.Request) logr.Logger { return logr.Discard() },
	})
	if err != nil {
		return err
	}
	add := func(_ context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		for _, request := range requests {
			q.Add(request)
		}
		return nil
	}
	if err := c.Watch(source.Func(add)); err != nil {
		return err
	}
	return c.Start(ctx)
}
