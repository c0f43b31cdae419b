// +kubebuilder:webhook:path=/1,mutating=false,failurePolicy=fail,timeoutSeconds=99,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1,patch=`{"sideEffects":"None","timeoutSeconds":9}`
// +kubebuilder:webhook:path=/2,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1,patch=`{"admissionReviewVersions":["v2"],"failurePolicy":"Ignore"}`
export {};
