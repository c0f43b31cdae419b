package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func useCertificates(ctx context.Context, s *session) error {
	user, err := s.environment.AddUser(envtest.User{Name: "vera", Groups: []string{"viewers", "people"}}, nil)
	if err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(user.Config())
	if err != nil {
		return err
	}
	showUser(ctx, "certificate", clients)
	_, err = clients.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	show("before the binding", err)
	if err := bind(ctx, s, "viewers", rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "viewers"}); err != nil {
		return err
	}
	_, err = clients.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	show("after the binding", err, "listed")
	_, err = clients.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}, metav1.CreateOptions{})
	show("another verb", err)
	anonymous, err := kubernetes.NewForConfig(rest.AnonymousClientConfig(s.config))
	if err != nil {
		return err
	}
	_, err = anonymous.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	show("anonymous", err)
	contents, err := user.KubeConfig()
	show("kubeconfig", err, strings.Contains(string(contents), "client-certificate-data"))
	return nil
}

// bind lets a subject read ConfigMaps.
func bind(ctx context.Context, s *session, name string, subject rbacv1.Subject) error {
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get", "list"}}},
	}
	if err := s.client.Create(ctx, role); err != nil {
		return err
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
		Subjects:   []rbacv1.Subject{subject},
	}
	if err := s.client.Create(ctx, binding); err != nil {
		return err
	}
	return untilAllowed(ctx, s, subject)
}

// kube-apiserver authorizes with informers, which receive roles and bindings later.
func untilAllowed(ctx context.Context, s *session, subject rbacv1.Subject) error {
	spec := authorizationv1.SubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "list", Resource: "configmaps"},
	}
	switch subject.Kind {
	case rbacv1.GroupKind:
		spec.Groups = []string{subject.Name}
	case rbacv1.ServiceAccountKind:
		spec.User = "system:serviceaccount:" + subject.Namespace + ":" + subject.Name
	default:
		spec.User = subject.Name
	}
	return wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		review := &authorizationv1.SubjectAccessReview{Spec: spec}
		err := s.client.Create(ctx, review)
		return review.Status.Allowed, err
	})
}

func showUser(ctx context.Context, what string, clients *kubernetes.Clientset) {
	review, err := clients.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	show(what, err, review.Status.UserInfo.Username, review.Status.UserInfo.Groups)
}

func impersonate(ctx context.Context, s *session) error {
	config := rest.CopyConfig(s.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: "ivan", Groups: []string{"interns"}}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	showUser(ctx, "impersonated", clients)
	_, err = clients.CoreV1().Secrets(namespace).Get(ctx, "key", metav1.GetOptions{})
	show("forbidden", err)
	if err := bind(ctx, s, "interns", rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "ivan"}); err != nil {
		return err
	}
	_, err = clients.CoreV1().ConfigMaps(namespace).Get(ctx, "key", metav1.GetOptions{})
	show("allowed", err)
	return nil
}

func useTokens(ctx context.Context, s *session) error {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot", Namespace: namespace}}
	if err := s.client.Create(ctx, account); err != nil {
		return err
	}
	request := &authenticationv1.TokenRequest{}
	if err := s.client.SubResource("token").Create(ctx, account, request); err != nil {
		return err
	}
	claims := struct {
		Issuer   string   `json:"iss"`
		Audience []string `json:"aud"`
		Subject  string   `json:"sub"`
	}{}
	parts := strings.Split(request.Status.Token, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return err
	}
	if err := json.Unmarshal(payload, &claims); err != nil {
		return err
	}
	show("claims", nil, claims.Issuer, claims.Audience, claims.Subject)
	header, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil {
		return err
	}
	show("signed with a key of envtest", nil, strings.Contains(string(header), `"alg":"ES256"`))
	config := rest.AnonymousClientConfig(s.config)
	config.BearerToken = request.Status.Token
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	showUser(ctx, "token", clients)
	config.BearerToken = "unknown"
	if clients, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	_, err = clients.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	show("unknown token", err)
	return nil
}

func callWebhooks(ctx context.Context, s *session) error {
	options := s.environment.WebhookInstallOptions
	server := webhook.NewServer(webhook.Options{Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir})
	server.Register("/mutate", &admission.Webhook{Handler: admission.HandlerFunc(func(_ context.Context, request admission.Request) admission.Response {
		return admission.Patched("", patchOf(request))
	})})
	server.Register("/validate", &admission.Webhook{Handler: admission.HandlerFunc(func(_ context.Context, request admission.Request) admission.Response {
		if strings.HasPrefix(request.Name, "bad") {
			return admission.Denied("names must not start with bad").WithWarnings("read the rules")
		}
		return admission.Allowed("")
	})})
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- server.Start(running) }()
	for server.StartedChecker()(&http.Request{}) != nil {
		select {
		case err := <-ended:
			return fmt.Errorf("the webhook server ended: %w", err)
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
	}
	newObject := func(name string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"reviewed": "true"}}}
	}
	good := newObject("good")
	show("mutated", s.client.Create(ctx, good), good.Labels)
	show("denied", s.client.Create(ctx, newObject("bad")))
	show("dry run", s.client.Create(ctx, newObject("bad-too"), client.DryRunAll))
	stop()
	if err := <-ended; err != nil {
		return err
	}
	show("without a server", s.client.Create(ctx, newObject("late")))
	return nil
}
