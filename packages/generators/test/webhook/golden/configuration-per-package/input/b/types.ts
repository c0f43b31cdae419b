// +kubebuilder:webhookconfiguration:mutating=true,name=second
// +kubebuilder:webhookconfiguration:mutating=false,name=""
// +kubebuilder:webhook:path=/2,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1
export {};
