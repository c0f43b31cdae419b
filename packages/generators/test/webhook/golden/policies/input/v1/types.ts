// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=IGNORE,matchPolicy=EXACT,sideEffects=NONE,groups=a,resources=b,verbs=CREATE;Update;dELETE;connect,versions=v1,name=a1.example.com,admissionReviewVersions=v1,reinvocationPolicy=never
// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,matchPolicy="",sideEffects=noneondryrun,groups=a,resources=b,verbs=*,versions=v1,name=a2.example.com,admissionReviewVersions=v1,reinvocationPolicy=IFNEEDED
// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=Sometimes,matchPolicy=equivalent,sideEffects=None,groups=a,resources=b,verbs=patch,versions=v1,name=a3.example.com,admissionReviewVersions=v1,reinvocationPolicy=Always
// +kubebuilder:webhook:path=/4,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a4.example.com,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
export {};
