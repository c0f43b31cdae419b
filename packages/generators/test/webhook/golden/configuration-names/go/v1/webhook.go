// +kubebuilder:webhookconfiguration:mutating=true,name=my-mutating
// +kubebuilder:webhookconfiguration:mutating=false
// +kubebuilder:webhook:path=/m,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=m.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/v,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=v.example.com,admissionReviewVersions=v1
package v1

const nothing = 1
