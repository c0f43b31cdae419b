package b

// +kubebuilder:webhook:path=/b,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=x.example.com,admissionReviewVersions=v1
