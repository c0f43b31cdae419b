package v1

// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=Some,groups=a,resources=b,verbs=create,versions=v1,name=some,admissionReviewVersions=v1
