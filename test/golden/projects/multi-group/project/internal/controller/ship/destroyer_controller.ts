import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { Destroyer } from "../../../api/ship/v1/destroyer_types.ts";

/** DestroyerReconciler reconciles Destroyer objects. */
export class DestroyerReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=ship.example.com,resources=destroyers,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=ship.example.com,resources=destroyers/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=ship.example.com,resources=destroyers/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Destroyer. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Destroyer, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Destroyer).named("ship-destroyer").complete(this);
  }
}
