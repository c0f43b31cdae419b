// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=json,admissionReviewVersions=v1,patch=`{`
// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=field,admissionReviewVersions=v1,patch=`{"objectselector":{}}`
// +kubebuilder:webhook:path=/3,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=form,admissionReviewVersions=v1,patch=`{"namespaceSelector":{"matchLabels":{"a":1}}}`
// +kubebuilder:webhook:path=/4,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=removed,admissionReviewVersions=v1,patch=`{"sideEffects":null}`
export const nothing = 1;
