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

import { Beacon } from "../../api/external/lighthouse/v1/beacon_types.ts";

/** BeaconReconciler reconciles Beacon objects. */
export class BeaconReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=lighthouse.example.org,resources=beacons,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=lighthouse.example.org,resources=beacons/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=lighthouse.example.org,resources=beacons/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Beacon. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Beacon, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Beacon).named("beacon").complete(this);
  }
}
