// Package controller makes the cluster what its Guestbooks say it should be.
package controller

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	webappv1 "guestbook.demo/guestbook/api/v1"
)

// GuestbookReconciler keeps a Deployment and a Service for each Guestbook.
type GuestbookReconciler struct {
	client.Client
}

// +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconcile makes the Deployment and the Service of a Guestbook and repairs what was changed in them.
func (r *GuestbookReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var guestbook webappv1.Guestbook
	if err := r.Get(ctx, request.NamespacedName, &guestbook); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta := metav1.ObjectMeta{Name: guestbook.Name, Namespace: guestbook.Namespace}
	labels := map[string]string{"app": guestbook.Name}
	deployment := &appsv1.Deployment{ObjectMeta: meta}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = guestbook.Spec.Size
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "guestbook", Image: guestbook.Spec.Image}}
		return controllerutil.SetControllerReference(&guestbook, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	service := &corev1.Service{ObjectMeta: meta}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = labels
		service.Spec.Ports = []corev1.ServicePort{{Port: *guestbook.Spec.Port, TargetPort: intstr.FromInt32(*guestbook.Spec.Port)}}
		return controllerutil.SetControllerReference(&guestbook, service, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	guestbook.Status.AvailableReplicas = deployment.Status.AvailableReplicas
	return ctrl.Result{}, r.Status().Update(ctx, &guestbook)
}

// SetupWithManager registers the controller with the manager.
func (r *GuestbookReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&webappv1.Guestbook{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Named("guestbook").
		Complete(r)
}
