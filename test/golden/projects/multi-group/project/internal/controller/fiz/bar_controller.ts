import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { Bar } from "../../../api/fiz/v1/bar_types.ts";

/** BarReconciler reconciles Bar objects. */
export class BarReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=fiz.example.com,resources=bars,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=fiz.example.com,resources=bars/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=fiz.example.com,resources=bars/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Bar. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Bar, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Bar).named("fiz-bar").complete(this);
  }
}
