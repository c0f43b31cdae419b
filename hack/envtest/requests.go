package main

import (
	"context"
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func discover(_ context.Context, s *session) error {
	found, err := discovery.NewDiscoveryClientForConfig(s.config)
	if err != nil {
		return err
	}
	resources, err := found.ServerResourcesForGroupVersion(shelfKind.GroupVersion().String())
	if err != nil {
		return err
	}
	for _, resource := range resources.APIResources {
		show(resource.Name, nil, resource.Kind, resource.Namespaced, resource.ShortNames, resource.Verbs)
	}
	_, err = found.ServerResourcesForGroupVersion("library.example.com/v2")
	show("another version", err)
	return nil
}

func useCustomResources(ctx context.Context, s *session) error {
	shelf := newShelf("north", 3)
	if err := s.client.Create(ctx, shelf); err != nil {
		return err
	}
	show("created", nil, shelf.Object["spec"], "generation", shelf.GetGeneration())
	show("created again", s.client.Create(ctx, newShelf("north", 3)))
	show("invalid", s.client.Create(ctx, newShelf("south", -1)))
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"books":4}}`))
	show("patched", s.client.Patch(ctx, shelf, patch), shelf.Object["spec"], "generation", shelf.GetGeneration())
	stale := shelf.DeepCopy()
	shelf.Object["status"] = map[string]any{"isFull": true}
	show("status", s.client.Status().Update(ctx, shelf), shelf.Object["status"], "generation", shelf.GetGeneration())
	stale.SetLabels(map[string]string{"a": "b"})
	show("stale update", s.client.Update(ctx, stale))
	show("missing", s.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "west"}, newShelf("west", 0)))
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(shelfKind)
	show("listed", s.client.List(ctx, list, client.InNamespace(namespace)), len(list.Items))
	return nil
}

// protobufOf returns a config whose clients send and accept protobuf, as those of Kubernetes' own programs do.
func protobufOf(config *rest.Config) *rest.Config {
	copied := rest.CopyConfig(config)
	copied.ContentType = "application/vnd.kubernetes.protobuf"
	copied.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return copied
}

func useBuiltIns(ctx context.Context, s *session) error {
	clients, err := kubernetes.NewForConfig(protobufOf(s.config))
	if err != nil {
		return err
	}
	labels := map[string]string{"app": "web"}
	deployment, err := clients.AppsV1().Deployments(namespace).Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	spec := deployment.Spec
	show("defaults", nil, spec.Strategy.Type, *spec.RevisionHistoryLimit, spec.Template.Spec.RestartPolicy, spec.Template.Spec.Containers[0].ImagePullPolicy)
	scale, err := clients.AppsV1().Deployments(namespace).GetScale(ctx, "web", metav1.GetOptions{})
	show("scale", err, scale.Spec.Replicas, scale.Status.Selector)
	deployment.Spec.Selector.MatchLabels = map[string]string{"app": "other"}
	_, err = clients.AppsV1().Deployments(namespace).Update(ctx, deployment, metav1.UpdateOptions{})
	show("another selector", err)
	_, err = clients.CoreV1().ConfigMaps("nowhere").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "lost"}}, metav1.CreateOptions{})
	show("missing namespace", err)
	spaces, err := clients.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, space := range spaces.Items {
		show("namespace", nil, space.Name, space.Status.Phase)
	}
	return nil
}

func watchObjects(ctx context.Context, s *session) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(shelfKind)
	if err := s.client.List(ctx, list); err != nil {
		return err
	}
	watcher, err := s.client.Watch(ctx, list, &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	east := newShelf("east", 1)
	if err := s.client.Create(ctx, east); err != nil {
		return err
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"labels":{"wing":"new"}}}`))
	if err := s.client.Patch(ctx, east, patch); err != nil {
		return err
	}
	if err := s.client.Delete(ctx, east); err != nil {
		return err
	}
	for range 3 {
		select {
		case event := <-watcher.ResultChan():
			object, isObject := event.Object.(*unstructured.Unstructured)
			if event.Type == watch.Error || !isObject {
				return fmt.Errorf("unexpected event %v", event)
			}
			show(string(event.Type), nil, object.GetName(), object.GetLabels())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return informers(ctx, s)
}

func informers(ctx context.Context, s *session) error {
	cached, err := cache.New(protobufOf(s.config), cache.Options{Scheme: s.scheme})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	go func() { _ = cached.Start(running) }()
	if !cached.WaitForCacheSync(ctx) {
		return fmt.Errorf("the cache did not sync")
	}
	spaces := &corev1.NamespaceList{}
	if err := cached.List(ctx, spaces); err != nil {
		return err
	}
	names := []string{}
	for _, space := range spaces.Items {
		names = append(names, space.Name)
	}
	sort.Strings(names)
	show("cached namespaces", nil, names)
	shelves := &unstructured.UnstructuredList{}
	shelves.SetGroupVersionKind(shelfKind)
	show("cached shelves", cached.List(ctx, shelves), len(shelves.Items))
	return nil
}

func applyObjects(ctx context.Context, s *session) error {
	apply := func(owner string, books int64, options ...client.ApplyOption) {
		configuration := newShelf("applied", books)
		err := s.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(configuration), append(options, client.FieldOwner(owner))...)
		show("apply by "+owner, err, configuration.Object["spec"])
	}
	apply("one", 1)
	apply("two", 2)
	apply("two", 2, client.ForceOwnership)
	applied := newShelf("applied", 0)
	if err := s.client.Get(ctx, client.ObjectKeyFromObject(applied), applied); err != nil {
		return err
	}
	for _, entry := range applied.GetManagedFields() {
		show("owner", nil, entry.Manager, entry.Operation, string(entry.FieldsV1.GetRawBytes()))
	}
	return nil
}

func deleteObjects(ctx context.Context, s *session) error {
	shelf := newShelf("north", 0)
	if err := s.client.Get(ctx, client.ObjectKeyFromObject(shelf), shelf); err != nil {
		return err
	}
	shelf.SetFinalizers([]string{"example.com/hold"})
	if err := s.client.Update(ctx, shelf); err != nil {
		return err
	}
	show("deleted", s.client.Delete(ctx, shelf))
	show("held", s.client.Get(ctx, client.ObjectKeyFromObject(shelf), shelf), shelf.GetDeletionTimestamp() != nil, shelf.GetFinalizers())
	shelf.SetFinalizers(nil)
	show("released", s.client.Update(ctx, shelf))
	show("gone", s.client.Get(ctx, client.ObjectKeyFromObject(shelf), shelf))
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "temporary"}}
	if err := s.client.Create(ctx, space); err != nil {
		return err
	}
	show("namespace deleted", s.client.Delete(ctx, space))
	show("no controller removes it", s.client.Get(ctx, client.ObjectKeyFromObject(space), space), space.Status.Phase, space.Spec.Finalizers)
	return nil
}
