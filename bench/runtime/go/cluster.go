package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	createsInFlight = 32
	updatesPerRun   = 1000
	updateInterval  = 20 * time.Millisecond
)

// A bench is the server and the namespace of one measurement.
type bench struct {
	config    *rest.Config
	scheme    *runtime.Scheme
	namespace string
	count     int
}

type clusterWorkload func(bench, context.Context) (measurement, error)

var clusterWorkloads = map[string]clusterWorkload{
	"create":       bench.create,
	"sync-stream":  bench.sync,
	"sync-list":    bench.sync,
	"idle":         bench.idle,
	"read":         reconcileAll(1, false),
	"read-10":      reconcileAll(10, false),
	"reconcile":    reconcileAll(1, true),
	"reconcile-10": reconcileAll(10, true),
	"latency":      bench.latency,
}

func measureCluster(name string, count int, kubeconfig, namespace string) {
	ctrl.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	fail(err)
	config.QPS = -1
	if name == "sync-list" {
		config.DisableCompression = true
		fail(os.Setenv("KUBE_FEATURE_WatchListClient", "false"))
	}
	// Our runtime sends and receives JSON, and custom resources have no other encoding.
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	scheme := runtime.NewScheme()
	fail(clientgoscheme.AddToScheme(scheme))
	addGadgets(scheme)
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	measured, err := clusterWorkloads[name](bench{config, scheme, namespace, count}, ctx)
	fail(err)
	measured.print()
}

// Creates ConfigMaps of about 3 KB, some at a time.
func (b bench) create(ctx context.Context) (measurement, error) {
	c, err := client.New(b.config, client.Options{Scheme: b.scheme})
	if err != nil {
		return measurement{}, err
	}
	// Opens a connection and discovers the resources.
	if err := c.List(ctx, &corev1.ConfigMapList{}, client.InNamespace(b.namespace), client.Limit(1)); err != nil {
		return measurement{}, err
	}
	data := map[string]string{"text": strings.Repeat("0123456789abcdef", 180)}
	watch := startWatch()
	err = inParallel(createsInFlight, b.count, func(index int) error {
		metadata := metav1.ObjectMeta{Namespace: b.namespace, Name: objectName(index)}
		return c.Create(ctx, &corev1.ConfigMap{ObjectMeta: metadata, Data: data})
	})
	return watch.stop().settled(), err
}

func inParallel(workers, count int, work func(index int) error) error {
	indexes := make(chan int)
	failures := make(chan error, workers)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for index := range indexes {
				if err := work(index); err != nil {
					select {
					case failures <- err:
					default:
					}
				}
			}
		})
	}
	for index := range count {
		indexes <- index
	}
	close(indexes)
	running.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

// Starts a cache and waits until it has all ConfigMaps of the namespace.
func (b bench) sync(ctx context.Context) (measurement, error) {
	mgr, err := b.newManager()
	if err != nil {
		return measurement{}, err
	}
	if _, err := mgr.GetCache().GetInformer(ctx, &corev1.ConfigMap{}, cache.BlockUntilSynced(false)); err != nil {
		return measurement{}, err
	}
	watch := startWatch()
	defer start(ctx, mgr)()
	if !mgr.GetCache().WaitForCacheSync(ctx) {
		return measurement{}, fmt.Errorf("the cache did not sync")
	}
	measured := watch.stop().settled()
	var list corev1.ConfigMapList
	if err := mgr.GetCache().List(ctx, &list); err != nil {
		return measurement{}, err
	}
	if len(list.Items) != b.count {
		return measurement{}, fmt.Errorf("the cache has %d of %d objects", len(list.Items), b.count)
	}
	return measured, nil
}

// Runs a manager with one controller that has nothing to do.
func (b bench) idle(ctx context.Context) (measurement, error) {
	mgr, err := b.newManager()
	if err != nil {
		return measurement{}, err
	}
	r := &reconciler{client: mgr.GetClient(), seen: func(ctrl.Request, int64) {}}
	if err := r.setUp(mgr, 1); err != nil {
		return measurement{}, err
	}
	watch := startWatch()
	defer start(ctx, mgr)()
	mgr.GetCache().WaitForCacheSync(ctx)
	time.Sleep(5 * time.Second)
	return watch.stop().settled(), nil
}

// Runs a controller until it has seen each Gadget, and with writes, has updated the status of each.
func reconcileAll(workers int, writes bool) clusterWorkload {
	return func(b bench, ctx context.Context) (measurement, error) {
		mgr, err := b.newManager()
		if err != nil {
			return measurement{}, err
		}
		progress := newProgress(b.count)
		seen := func(request ctrl.Request, _ int64) { progress.add(request) }
		r := &reconciler{client: mgr.GetClient(), writes: writes, seen: seen}
		if err := r.setUp(mgr, workers); err != nil {
			return measurement{}, err
		}
		watch := startWatch()
		defer start(ctx, mgr)()
		if err := progress.wait(ctx); err != nil {
			return measurement{}, err
		}
		measured := watch.stop()
		measured.Rate = progress.rate()
		return measured.settled(), r.failure()
	}
}

// Updates one Gadget at a steady rate, and measures the time from the request until a reconcile reads the new generation.
func (b bench) latency(ctx context.Context) (measurement, error) {
	mgr, err := b.newManager()
	if err != nil {
		return measurement{}, err
	}
	progress := newProgress(b.count)
	arrivals := newArrivals(objectName(0))
	r := &reconciler{client: mgr.GetClient(), seen: func(request ctrl.Request, generation int64) {
		arrivals.add(request, generation)
		progress.add(request)
	}}
	if err := r.setUp(mgr, 1); err != nil {
		return measurement{}, err
	}
	defer start(ctx, mgr)()
	if err := progress.wait(ctx); err != nil {
		return measurement{}, err
	}
	live, err := client.New(b.config, client.Options{Scheme: b.scheme})
	if err != nil {
		return measurement{}, err
	}
	var gadget Gadget
	if err := live.Get(ctx, client.ObjectKey{Namespace: b.namespace, Name: objectName(0)}, &gadget); err != nil {
		return measurement{}, err
	}
	sent := map[int64]time.Time{}
	watch := startWatch()
	for next := time.Now(); len(sent) < updatesPerRun; next = next.Add(updateInterval) {
		time.Sleep(time.Until(next))
		gadget.Spec.Replicas++
		sent[gadget.Generation+1] = time.Now()
		if err := live.Update(ctx, &gadget); err != nil {
			return measurement{}, err
		}
	}
	time.Sleep(time.Second)
	measured := watch.stop()
	delays := arrivals.since(sent)
	if len(delays) != updatesPerRun {
		return measurement{}, fmt.Errorf("%d of %d updates were reconciled", len(delays), updatesPerRun)
	}
	measured.P50Ms, measured.P99Ms = percentile(delays, 50), percentile(delays, 99)
	return measured, r.failure()
}

func (b bench) newManager() (ctrl.Manager, error) {
	return ctrl.NewManager(b.config, ctrl.Options{
		Scheme:  b.scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{b.namespace: {}}},
	})
}

// Starts a manager; the returned function stops it.
func start(ctx context.Context, mgr ctrl.Manager) func() {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	return func() {
		stop()
		fail(<-done)
	}
}

func percentile(values []float64, percent float64) float64 {
	slices.Sort(values)
	index := int(math.Ceil(float64(len(values))*percent/100)) - 1
	return values[max(0, index)]
}
