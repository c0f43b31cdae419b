// +kubebuilder:webhook:path=/1,serviceName=svc,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/2,serviceNamespace=ns,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/3,servicePort=8443,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a3.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/4,servicePort=0,serviceName="",mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a4.example.com,admissionReviewVersions=v1
export {};
