package v1

// +kubebuilder:webhook:path=/1,matchPolicy=Loose,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=both,admissionReviewVersions=v1
