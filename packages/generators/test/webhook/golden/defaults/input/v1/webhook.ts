// +kubebuilder:webhook:path=/mutate-webapp-demo-v1-guestbook,mutating=true,failurePolicy=fail,sideEffects=None,groups=webapp.demo,resources=guestbooks,verbs=create;update,versions=v1,name=mguestbook-v1.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate-webapp-demo-v1-guestbook,mutating=false,failurePolicy=ignore,sideEffects=NoneOnDryRun,groups=webapp.demo,resources=guestbooks,verbs=create;update;DELETE,versions=v1,name=vguestbook-v1.kb.io,admissionReviewVersions=v1;v1beta1
export const nothing = 1;
