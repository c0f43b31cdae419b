// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
import "../two/b.ts";

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list
