/*
Copyright <year> Acme.
*/

import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { Admiral } from "../../api/v1/admiral_types.ts";

/** AdmiralReconciler makes the cluster what a Admiral says it should be. */
export class AdmiralReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=crew.example.com,resources=admirales,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=crew.example.com,resources=admirales/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=crew.example.com,resources=admirales/finalizers,verbs=update

  /**
   * Compares what the Admiral asks for with what is there, and changes what differs; with nothing to change it does nothing.
   *
   * TODO(user): read the object with this.client.get(Admiral, request), compare, change, and write the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Admiral).named("admiral").complete(this);
  }
}
