package main

import (
	"context"
	"fmt"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	mediaType = "application/vnd.kubernetes.protobuf"
	timeout   = time.Minute
)

// runClient works with a server as Go programs do, with no other media type than protocol buffers; it prints each step that succeeds.
func runClient(out io.Writer, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.ContentType = mediaType
	config.AcceptContentTypes = mediaType
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	steps := []struct {
		name string
		run  func(context.Context, *rest.Config, kubernetes.Interface) error
	}{
		{"objects", useObjects},
		{"watch", useWatch},
		{"informer", useInformer},
		{"metadata", useMetadata},
		{"discovery", useDiscovery},
		{"collection", useCollection},
	}
	for _, step := range steps {
		if err := step.run(ctx, config, client); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintln(out, step.name)
	}
	return nil
}

func newConfigMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"by": "go"}},
		Data:       map[string]string{"key": "1"},
		BinaryData: map[string][]byte{"bytes": {0, 255, 10}},
	}
}

func useObjects(ctx context.Context, _ *rest.Config, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps("default")
	created, err := maps.Create(ctx, newConfigMap("objects"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if string(created.BinaryData["bytes"]) != "\x00\xff\n" || created.UID == "" || created.CreationTimestamp.IsZero() {
		return fmt.Errorf("created %v", created)
	}
	if _, err := maps.Create(ctx, newConfigMap("objects"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("created it again: %v", err)
	}
	created.Data["key"] = "2"
	if _, err := maps.Update(ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if _, err := maps.Update(ctx, created, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("updated an old version: %v", err)
	}
	patch := []byte(`{"data":{"other":"3"}}`)
	patched, err := maps.Patch(ctx, "objects", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if patched.Data["key"] != "2" || patched.Data["other"] != "3" {
		return fmt.Errorf("patched %v", patched.Data)
	}
	uid := types.UID("other")
	options := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}
	if err := maps.Delete(ctx, "objects", options); !apierrors.IsConflict(err) {
		return fmt.Errorf("deleted another object: %v", err)
	}
	if err := maps.Delete(ctx, "objects", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if _, err := maps.Get(ctx, "objects", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("found a deleted object: %v", err)
	}
	return nil
}

func useWatch(ctx context.Context, _ *rest.Config, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps("default")
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	watcher, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, LabelSelector: "by=go"})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	if _, err := maps.Create(ctx, newConfigMap("watched"), metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, expected := range []watch.EventType{watch.Added, watch.Deleted} {
		event := <-watcher.ResultChan()
		object, isMap := event.Object.(*corev1.ConfigMap)
		if event.Type != expected || !isMap || object.Name != "watched" {
			return fmt.Errorf("watched %v", event)
		}
	}
	_, err = maps.Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
	if err != nil && !apierrors.IsResourceExpired(err) {
		return err
	}
	return nil
}

func useInformer(ctx context.Context, _ *rest.Config, client kubernetes.Interface) error {
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Namespaces().Informer()
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the cache was not filled")
	}
	if _, exists, err := informer.GetStore().GetByKey("default"); err != nil || !exists {
		return fmt.Errorf("no default namespace: %v", err)
	}
	return nil
}

func useMetadata(ctx context.Context, config *rest.Config, client kubernetes.Interface) error {
	reader, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	list, err := reader.Resource(corev1.SchemeGroupVersion.WithResource("namespaces")).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		if item.Name == "default" && item.UID != "" {
			return nil
		}
	}
	return fmt.Errorf("listed %v", list.Items)
}

func useDiscovery(_ context.Context, config *rest.Config, _ kubernetes.Interface) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	resources, err := client.ServerResourcesForGroupVersion("apps/v1")
	if err != nil {
		return err
	}
	for _, resource := range resources.APIResources {
		if resource.Name == "deployments" && len(resource.Verbs) > 0 {
			return nil
		}
	}
	return fmt.Errorf("discovered %v", resources)
}

func useCollection(ctx context.Context, _ *rest.Config, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps("default")
	selected := metav1.ListOptions{LabelSelector: "by=go"}
	for _, name := range []string{"a", "b", "c"} {
		if _, err := maps.Create(ctx, newConfigMap(name), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	page, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "by=go", Limit: 2})
	if err != nil {
		return err
	}
	if len(page.Items) != 2 || page.Continue == "" {
		return fmt.Errorf("listed %d objects in a page of 2", len(page.Items))
	}
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, selected); err != nil {
		return err
	}
	rest, err := maps.List(ctx, selected)
	if err != nil {
		return err
	}
	if len(rest.Items) != 0 {
		return fmt.Errorf("%d objects are left", len(rest.Items))
	}
	return nil
}
