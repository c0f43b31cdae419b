// +kubebuilder:webhook:path=/b,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=b.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/same,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=same.example.com,admissionReviewVersions=v1
export {};
