// +kubebuilder:webhook:path=/c,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=c.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/a,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a.example.com,admissionReviewVersions=v1
export {};
