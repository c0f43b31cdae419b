package v1

// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1,patch=`{"objectSelector":{"matchLabels":{"on":"true"}}}`
// +kubebuilder:webhook:path=/2,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1,patch=`{"namespaceSelector":{"matchExpressions":[{"key":"a","operator":"Exists"},{"key":"b","operator":"NotIn","values":["x"]}]},"objectSelector":{}}`
// +kubebuilder:webhook:path=/3,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a3.example.com,admissionReviewVersions=v1,patch="{\"matchConditions\":[{\"name\":\"x\",\"expression\":\"true\"},{\"name\":\"y\",\"expression\":\"false\"}]}"
