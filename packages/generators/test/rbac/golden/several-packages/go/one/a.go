// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
package one

import _ "golden.example.com/cases/cases/two"

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list
