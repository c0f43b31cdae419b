// +kubebuilder:webhook:path=/m,mutating=true,failurePolicy=fail,sideEffects=None,timeoutSeconds=5,groups=a,resources=b,verbs=create,versions=v1,name=m.example.com,admissionReviewVersions=v1,patch=`{"timeoutSeconds":null,"namespaceSelector":{"matchLabels":{"on":"true"},"matchExpressions":[{"key":"k","operator":"In","values":["x","y"]}]},"matchConditions":[{"name":"one","expression":"true"}]}`
// +kubebuilder:webhook:path=/v,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=v.example.com,admissionReviewVersions=v1,patch=`{"rules":[{"apiGroups":["z"],"apiVersions":["v9"],"operations":["*"],"resources":["*"],"scope":"Namespaced"}],"clientConfig":{"service":{"port":99}},"failurePolicy":"Ignore","name":"renamed.example.com"}`
package v1

const nothing = 1
