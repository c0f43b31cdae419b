package main

import (
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

func priorityQueue() queue {
	return priorityqueue.New[reconcile.Request]("bench")
}

func plainQueue() queue {
	limiter := workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]()
	config := workqueue.TypedRateLimitingQueueConfig[reconcile.Request]{Name: "bench"}
	return workqueue.NewTypedRateLimitingQueueWithConfig(limiter, config)
}

// Adds all requests before the first is taken.
func fill(create func() queue) workload {
	return func(requests []reconcile.Request) error {
		q := create()
		defer q.ShutDown()
		for _, request := range requests {
			q.Add(request)
		}
		for range requests {
			takeOne(q)
		}
		return nil
	}
}

// Takes each request before the next is added.
func steady(create func() queue) workload {
	return func(requests []reconcile.Request) error {
		q := create()
		defer q.ShutDown()
		for _, request := range requests {
			q.Add(request)
			takeOne(q)
		}
		return nil
	}
}

func takeOne(q queue) {
	request, _ := q.Get()
	q.Done(request)
}
