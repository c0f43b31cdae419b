/** Reconciles. */
export class Reconciler {
  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/finalizers,verbs=update

  /** One step. */
  async reconcile(): Promise<void> {
    // +kubebuilder:rbac:groups=inside,resources=bodies,verbs=get
  }
}
