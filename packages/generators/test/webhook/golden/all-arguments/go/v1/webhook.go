// +kubebuilder:webhook:mutating=true,path="/m",failurePolicy=Custom,matchPolicy=exact,sideEffects=none,timeoutSeconds=10,groups=core;apps,resources=pods;deployments,verbs=*;connect;other,versions=v1;v2,name=b.example.com,serviceName=svc,serviceNamespace=ns,servicePort=8443,admissionReviewVersions={v1},reinvocationPolicy=ifneeded,webhookVersions=v1
// +kubebuilder:webhook:mutating=false,path="/v",failurePolicy=Fail,matchPolicy=Equivalent,sideEffects=None,timeoutSeconds=0,groups="",resources=pods,verbs=create,versions=*,name=a.example.com,admissionReviewVersions=v1,reinvocationPolicy=Never
package v1

const nothing = 1
