// Package v1 holds the webhooks of the group webapp.demo.
package v1

import (
	"context"
	"errors"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	webappv1 "guestbook.demo/guestbook/api/v1"
)

const defaultImage = "registry.k8s.io/guestbook:v3"

// SetupGuestbookWebhookWithManager registers the webhooks of Guestbook with the manager.
func SetupGuestbookWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &webappv1.Guestbook{}).
		WithDefaulter(&GuestbookCustomDefaulter{}).
		WithValidator(&GuestbookCustomValidator{}).
		Complete()
}

// +kubebuilder:webhook:path=/mutate-webapp-demo-v1-guestbook,mutating=true,failurePolicy=fail,sideEffects=None,groups=webapp.demo,resources=guestbooks,verbs=create;update,versions=v1,name=mguestbook-v1.kb.io,admissionReviewVersions=v1

// GuestbookCustomDefaulter fills in what a Guestbook leaves out.
type GuestbookCustomDefaulter struct{}

// Default changes the object in place.
func (d *GuestbookCustomDefaulter) Default(_ context.Context, guestbook *webappv1.Guestbook) error {
	if guestbook.Spec.Image == "" {
		guestbook.Spec.Image = defaultImage
	}
	return nil
}

// +kubebuilder:webhook:path=/validate-webapp-demo-v1-guestbook,mutating=false,failurePolicy=fail,sideEffects=None,groups=webapp.demo,resources=guestbooks,verbs=create;update,versions=v1,name=vguestbook-v1.kb.io,admissionReviewVersions=v1

// GuestbookCustomValidator validates a Guestbook when it is created or updated.
type GuestbookCustomValidator struct{}

// ValidateCreate returns warnings, or an error to refuse.
func (v *GuestbookCustomValidator) ValidateCreate(_ context.Context, guestbook *webappv1.Guestbook) (admission.Warnings, error) {
	return nil, validate(guestbook)
}

// ValidateUpdate returns warnings, or an error to refuse.
func (v *GuestbookCustomValidator) ValidateUpdate(_ context.Context, _, guestbook *webappv1.Guestbook) (admission.Warnings, error) {
	return nil, validate(guestbook)
}

// ValidateDelete is not asked: the marker names no delete.
func (v *GuestbookCustomValidator) ValidateDelete(_ context.Context, _ *webappv1.Guestbook) (admission.Warnings, error) {
	return nil, nil
}

func validate(guestbook *webappv1.Guestbook) error {
	if strings.HasSuffix(guestbook.Spec.Image, ":latest") {
		return errors.New("spec.image must name a version, and latest is none")
	}
	return nil
}
