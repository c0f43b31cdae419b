/**
 * Reconcile does nothing.
 * +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
 */
export function reconcile(): void {}
