import {
  type Client,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@kubescaffold/runtime";

import { HealthCheckPolicy } from "../../../api/foo.policy/v1/healthcheckpolicy_types.ts";

/** HealthCheckPolicyReconciler makes the cluster what a HealthCheckPolicy says it should be. */
export class HealthCheckPolicyReconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=foo.policy.example.com,resources=healthcheckpolicies,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=foo.policy.example.com,resources=healthcheckpolicies/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=foo.policy.example.com,resources=healthcheckpolicies/finalizers,verbs=update

  /**
   * Compares what the HealthCheckPolicy asks for with what is there, and changes what differs; with nothing to change it does nothing.
   *
   * TODO(user): read the object with this.client.get(HealthCheckPolicy, request), compare, change, and write the status.
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
