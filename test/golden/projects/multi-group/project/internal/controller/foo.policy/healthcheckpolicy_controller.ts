import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { HealthCheckPolicy } from "../../../api/foo.policy/v1/healthcheckpolicy_types.ts";

/** HealthCheckPolicyReconciler reconciles HealthCheckPolicy objects. */
export class HealthCheckPolicyReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=foo.policy.example.com,resources=healthcheckpolicies,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=foo.policy.example.com,resources=healthcheckpolicies/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=foo.policy.example.com,resources=healthcheckpolicies/finalizers,verbs=update

  /**
   * Drives the cluster toward the desired state of a HealthCheckPolicy. Must be idempotent: it is called again after every change and on errors.
   *
   * TODO(user): read the object with this.client.get(HealthCheckPolicy, request), create or update dependent objects, and update the status.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    context.log.debug("Reconciling", { name: request.name, namespace: request.namespace });
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(HealthCheckPolicy).named("foo.policy-healthcheckpolicy").complete(this);
  }
}
