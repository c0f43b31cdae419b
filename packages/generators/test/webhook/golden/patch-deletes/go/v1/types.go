package v1

// +kubebuilder:webhook:path=/1,mutating=true,failurePolicy=fail,matchPolicy=Exact,timeoutSeconds=3,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a1.example.com,admissionReviewVersions=v1,reinvocationPolicy=Never,patch=`{"matchPolicy":null,"timeoutSeconds":null,"reinvocationPolicy":null}`
// +kubebuilder:webhook:path=/2,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a2.example.com,admissionReviewVersions=v1,patch=`{"clientConfig":{"service":null,"url":"https://example.com"}}`
// +kubebuilder:webhook:path=/3,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a3.example.com,admissionReviewVersions=v1,patch=`{"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*/*"],"scope":"*"}]}`
// +kubebuilder:webhook:path=/4,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a4.example.com,admissionReviewVersions=v1,patch=`{}`
