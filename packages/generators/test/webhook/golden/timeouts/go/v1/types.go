package v1

// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,timeoutSeconds=1,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,timeoutSeconds=30,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=fail,timeoutSeconds=0,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a3.example.com,admissionReviewVersions=v1
