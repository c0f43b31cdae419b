package v1

// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/2,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1
