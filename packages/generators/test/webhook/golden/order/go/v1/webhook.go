// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=c.example.com,admissionReviewVersions=v1
package v1

// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a.example.com,admissionReviewVersions=v1

// Defaulter is a type.
type Defaulter struct{}

// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=b.example.com,admissionReviewVersions=v1
