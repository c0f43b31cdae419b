// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1,patch=`{"clientConfig":{"service":{"name":null}}}`
export {};
