package two

/* A block comment without a marker. */
// Prose stands between markers.
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=watch
// More prose.
//+kubebuilder:rbac:groups=apps,resources=deployments/scale,verbs=update

// Something is below.
type Something struct {
	A string
}
