import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { Coral } from "../../api/v1/coral_types.ts";

/** CoralReconciler reconciles Coral objects. */
export class CoralReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=reef.example.com,resources=corals,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=reef.example.com,resources=corals/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=reef.example.com,resources=corals/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Coral. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Coral, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Coral).named("coral").complete(this);
  }
}
