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

import { FirstMate } from "../../api/v1/firstmate_types.ts";

/** FirstMateReconciler reconciles FirstMate objects. */
export class FirstMateReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=crew.example.com,resources=firstmates,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=crew.example.com,resources=firstmates/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=crew.example.com,resources=firstmates/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a FirstMate. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(FirstMate, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(FirstMate).named("firstmate").complete(this);
  }
}
