// +kubebuilder:webhook:path=/v,mutating=false,failurePolicy=fail,sideEffects=None,timeoutSeconds=5,groups=a,resources=b,verbs=create,versions=v1,name=v.example.com,admissionReviewVersions=v1,patch="null"
package v1

const nothing = 1
