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

import { Captain } from "../../api/v1/captain_types.ts";

/** CaptainReconciler makes the cluster what a Captain says it should be. */
export class CaptainReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=crew.example.com,resources=captains,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=crew.example.com,resources=captains/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=crew.example.com,resources=captains/finalizers,verbs=update

  /**
   * Compares what the Captain asks for with what is there, and changes what differs; with nothing to change it does nothing.
   *
   * TODO(user): read the object with this.client.get(Captain, request), compare, change, and write the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Captain).named("captain").complete(this);
  }
}
