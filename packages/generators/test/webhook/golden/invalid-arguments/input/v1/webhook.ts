// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,groups=a,resources=b,verbs=create,versions=v1,name=no-side-effects,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=Some,groups=a,resources=b,verbs=create,versions=v1,name=some,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=fail,sideEffects=None,timeoutSeconds=31,groups=a,resources=b,verbs=create,versions=v1,name=timeout,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/4,url="https://x",mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=both,admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=neither,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/5,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=no-review
// +kubebuilder:webhook:path=/6,mutating=true,failurePolicy=fail,matchPolicy=Loose,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=policy,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/7,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=old,admissionReviewVersions=v1,webhookVersions=v1beta1
// +kubebuilder:webhook:path=/8,mutatin=true,failurePolicy=fail
export const nothing = 1;
