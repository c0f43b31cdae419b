package v1

// +kubebuilder:webhookconfiguration:mutating=true,name=one
// +kubebuilder:webhookconfiguration:mutating=true,name=two
// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=both,admissionReviewVersions=v1
