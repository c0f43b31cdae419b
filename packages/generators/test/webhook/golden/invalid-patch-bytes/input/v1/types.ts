// +kubebuilder:webhook:path=/3,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=form,admissionReviewVersions=v1,patch=`{"clientConfig":{"caBundle":"Z+m9v"}}`
export {};
