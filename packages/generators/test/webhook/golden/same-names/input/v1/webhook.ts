// +kubebuilder:webhook:path=/1,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=v.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/2,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b/status;c,verbs=delete,versions=v1,name=v.example.com,admissionReviewVersions=v1
export const nothing = 1;
