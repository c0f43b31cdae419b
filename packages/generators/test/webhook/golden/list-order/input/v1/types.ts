// +kubebuilder:webhook:path=/1,mutating=false,failurePolicy=fail,sideEffects=None,groups=z;core;a;a,resources=y/*;x;y,verbs=update;create;update,versions={v2,v1,"*"},name=a1.example.com,admissionReviewVersions={v1beta1,v1,v1beta1},webhookVersions={v1}
export {};
