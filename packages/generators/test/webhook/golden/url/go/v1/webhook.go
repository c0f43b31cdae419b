// +kubebuilder:webhook:url="https://example.com:9443/check?x=1",mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a.b.c,admissionReviewVersions=v1
package v1

const nothing = 1
