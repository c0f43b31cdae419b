// +kubebuilder:webhook:path=/0,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=B.example.com,admissionReviewVersions=v1
export const nothing = 1;
