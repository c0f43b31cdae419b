import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { Prawn } from "../../../api/sea-creatures/v1/prawn_types.ts";

/** PrawnKeeperReconciler reconciles Prawn objects. */
export class PrawnKeeperReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=sea-creatures.example.com,resources=prawns,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=sea-creatures.example.com,resources=prawns/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=sea-creatures.example.com,resources=prawns/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Prawn. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Prawn, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Prawn).named("prawn-keeper").complete(this);
  }
}
