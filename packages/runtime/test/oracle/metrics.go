package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	clientmetrics "k8s.io/client-go/tools/metrics"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/log"
	crmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// exposedMetrics returns the lines of a scrape without the texts of the help and without the sums of histograms.
func exposedMetrics(json.RawMessage) (any, error) {
	log.SetLogger(logr.Discard())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	observeRequests(ctx)
	if err := runController(ctx); err != nil {
		return nil, err
	}
	callWebhook()
	recorder := httptest.NewRecorder()
	handler := promhttp.HandlerFor(crmetrics.Registry, promhttp.HandlerOpts{})
	handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	compared := regexp.MustCompile(`^(# (HELP|TYPE) )?(controller_runtime|workqueue|rest_client|certwatcher|leader_election)_`)
	help := regexp.MustCompile(`^(# HELP \S+) \S.*$`)
	lines := []string{}
	for _, line := range strings.Split(recorder.Body.String(), "\n") {
		if compared.MatchString(line) && !strings.Contains(line, "_sum") {
			lines = append(lines, help.ReplaceAllString(line, "$1"))
		}
	}
	return lines, nil
}

func observeRequests(ctx context.Context) {
	crmetrics.RegisterRESTClientMetrics(
		crmetrics.MetricRequestLatency, crmetrics.MetricDNSResolutionLatency, crmetrics.MetricRequestSize,
		crmetrics.MetricResponseSize, crmetrics.MetricRateLimiterLatency, crmetrics.MetricRequestRetry,
	)
	target := url.URL{Scheme: "https", Host: "h"}
	clientmetrics.RequestResult.Increment(ctx, "200", "GET", target.Host)
	clientmetrics.RequestLatency.Observe(ctx, "GET", target, time.Second)
	clientmetrics.ResolverLatency.Observe(ctx, target.Host, time.Second)
	clientmetrics.RequestSize.Observe(ctx, "GET", target.Host, 1)
	clientmetrics.ResponseSize.Observe(ctx, "GET", target.Host, 1)
	clientmetrics.RateLimiterLatency.Observe(ctx, "GET", target, time.Second)
	clientmetrics.RequestRetry.IncrementRetry(ctx, "200", "GET", target.Host)
}

func runController(ctx context.Context) error {
	queue := priorityqueue.New[string]("widget")
	queue.Add("a")
	queue.AddAfter("b", time.Hour)
	reconciler := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		return reconcile.Result{}, nil
	})
	reconciling, err := controller.NewUnmanaged("widget", controller.Options{Reconciler: reconciler})
	if err != nil {
		return err
	}
	once := source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		queue.Add(reconcile.Request{})
		return nil
	})
	if err := reconciling.Watch(once); err != nil {
		return err
	}
	go func() { _ = reconciling.Start(ctx) }()
	// The controller and the queue create their series in goroutines.
	time.Sleep(time.Second)
	return nil
}

func callWebhook() {
	server := webhook.NewServer(webhook.Options{})
	server.Register("/validate", &admission.Webhook{
		Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
			return admission.Allowed("")
		}),
	})
	request := httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader("{}"))
	request.Header.Set("Content-Type", "application/json")
	server.WebhookMux().ServeHTTP(httptest.NewRecorder(), request)
}
