// Command envtest runs the environment of controller-runtime with the programs in KUBEBUILDER_ASSETS, and prints each result. The output
// contains nothing that differs between two runs, so that two control planes can be compared by it.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/go-logr/logr"
)

// session is a started environment, and a client of its administrator.
type session struct {
	environment *envtest.Environment
	config      *rest.Config
	client      client.WithWatch
	scheme      *runtime.Scheme
}

type step struct {
	title string
	run   func(context.Context, *session) error
}

func main() {
	log.SetLogger(logr.Discard())
	ctx, cancel := context.WithTimeout(ctrl.SetupSignalHandler(), 2*time.Minute)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (failure error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	environment := &envtest.Environment{
		Scheme: scheme,
		CRDs:   definitions(),
		WebhookInstallOptions: envtest.WebhookInstallOptions{
			ValidatingWebhooks: validatingWebhooks(),
			MutatingWebhooks:   mutatingWebhooks(),
		},
	}
	config, err := environment.Start()
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	fmt.Println("started")
	defer func() {
		if err := environment.Stop(); err != nil && failure == nil {
			failure = fmt.Errorf("stop: %w", err)
		}
		if _, err := os.Stat(filepath.Join(environment.ControlPlane.APIServer.CertDir, "apiserver.crt")); err == nil {
			failure = fmt.Errorf("stop: the folder of the certificates still exists")
		}
		if failure == nil {
			fmt.Println("stopped")
		}
	}()
	admin, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	current := &session{environment: environment, config: config, client: admin, scheme: scheme}
	for _, each := range steps {
		fmt.Printf("\n== %s\n", each.title)
		if err := each.run(ctx, current); err != nil {
			return fmt.Errorf("%s: %w", each.title, err)
		}
	}
	fmt.Println()
	return nil
}

var steps = []step{
	{"discovery", discover},
	{"custom resources", useCustomResources},
	{"built-in resources in protobuf", useBuiltIns},
	{"watches and informers", watchObjects},
	{"server-side apply", applyObjects},
	{"users with client certificates", useCertificates},
	{"impersonated users", impersonate},
	{"service account tokens", useTokens},
	{"admission webhooks", callWebhooks},
	{"deletion", deleteObjects},
}

var variable = regexp.MustCompile(`127\.0\.0\.1:\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// show prints a result or its error, without ports and uids.
func show(what string, err error, values ...any) {
	text := strings.TrimSpace(fmt.Sprintln(values...))
	if err != nil {
		text = "error: " + err.Error()
	}
	fmt.Printf("%s: %s\n", what, variable.ReplaceAllString(text, "…"))
}
