import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { Kraken } from "../../../api/sea-creatures/v1beta1/kraken_types.ts";

/** KrakenReconciler reconciles Kraken objects. */
export class KrakenReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=sea-creatures.example.com,resources=krakens,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=sea-creatures.example.com,resources=krakens/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=sea-creatures.example.com,resources=krakens/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Kraken. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Kraken, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Kraken).named("sea-creatures-kraken").complete(this);
  }
}
