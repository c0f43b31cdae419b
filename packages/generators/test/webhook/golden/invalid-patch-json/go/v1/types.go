package v1

// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=json,admissionReviewVersions=v1,patch=`{`
