// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1

package v1

// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1

// Setup does nothing.
func Setup() {
	// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a3.example.com,admissionReviewVersions=v1
}

// +kubebuilder:webhook:path=/4,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a4.example.com,admissionReviewVersions=v1

// Widget is a type.
type Widget struct{}
