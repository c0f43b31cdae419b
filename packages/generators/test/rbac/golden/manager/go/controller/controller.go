package controller

// Reconciler reconciles.
type Reconciler struct{}

// +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/finalizers,verbs=update

// Reconcile is one step.
func (r *Reconciler) Reconcile() {
	// +kubebuilder:rbac:groups=inside,resources=bodies,verbs=get
}
