// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=field,admissionReviewVersions=v1,patch=`{"objectselector":{}}`
export {};
