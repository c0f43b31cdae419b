package v1

// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=fail,sideEffects=None,timeoutSeconds=31,groups=a,resources=b,verbs=create,versions=v1,name=timeout,admissionReviewVersions=v1
