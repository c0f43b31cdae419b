// +kubebuilder:rbac:groups=a,resources=top,verbs=get
// A prose line between the markers does no harm.
// +kubebuilder:rbac:groups=a,resources=prose,verbs=get

//+kubebuilder:rbac:groups=a,resources=noblank,verbs=get
//      +kubebuilder:rbac:groups=a,resources=manyblanks,verbs=get

// +kubebuilder:rbac:groups=a,resources=separated,verbs=get

/** Reconcile does nothing. */
export function reconcile(): void {
  // +kubebuilder:rbac:groups=a,resources=body,verbs=get
}

// +kubebuilder:rbac:groups=a,resources=abovetype,verbs=get

/** Widget is a type. */
export interface Widget {}

// +kubebuilder:rbac:groups=a,resources=end,verbs=get
