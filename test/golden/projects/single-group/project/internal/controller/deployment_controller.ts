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

import { Deployment } from "@kubescaffold/k8s/apps/v1";

/** DeploymentReconciler reconciles Deployment objects. */
export class DeploymentReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=apps,resources=deployments/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a Deployment. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(Deployment, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Deployment).named("deployment").complete(this);
  }
}
