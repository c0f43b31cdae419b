import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreNotFound, objectKey, setCondition } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  controllerutil,
  type EventRecorder,
  type Manager,
  newControllerManagedBy,
  patch,
  type ReconcileContext,
  type Request,
  type Result,
  type Stored,
} from "@kubescaffold/runtime";

import { Relay, type RelayStatus } from "../../api/v1/relay_types.ts";
import { withDesiredPods, withDesiredPorts } from "./relay_children.ts";

/** RelayReconciler reconciles Relay objects. It uses only the hub version, regardless of the version that users write. */
export class RelayReconciler {
  readonly client: Client;
  #recorder: EventRecorder | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=network.demo,resources=relays,verbs=get;list;watch
  // +kubebuilder:rbac:groups=network.demo,resources=relays/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=network.demo,resources=relays/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch
  // +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch;create;update;patch
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

  /** Creates or updates the Deployment and the Service of a Relay, and updates its status. */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const relay = await ignoreNotFound(this.client.get(Relay, request));
    // The garbage collector deletes owned objects.
    if (relay === undefined || relay.metadata.deletionTimestamp !== undefined) return {};
    const deployment = await this.#applyDeployment(relay);
    await this.#applyService(relay);
    await this.#report(relay, deployment, context);
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#recorder = mgr.getEventRecorder("relay-controller");
    await newControllerManagedBy(mgr).for(Relay).owns(Deployment).owns(Service).named("relay").complete(this);
  }

  async #applyDeployment(relay: DeepReadonly<Stored<Relay>>): Promise<DeepReadonly<Deployment>> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Deployment.create({ metadata: objectKey(relay) }),
      (deployment) => controllerutil.setControllerReference(relay, withDesiredPods(relay, deployment)),
    );
    if (result !== "unchanged") this.#tell(relay, object, result);
    return object;
  }

  async #applyService(relay: DeepReadonly<Stored<Relay>>): Promise<void> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Service.create({ metadata: objectKey(relay) }),
      (service) => controllerutil.setControllerReference(relay, withDesiredPorts(relay, service)),
    );
    if (result !== "unchanged") this.#tell(relay, object, result);
  }

  async #report(
    relay: DeepReadonly<Stored<Relay>>,
    deployment: DeepReadonly<Deployment>,
    { log }: ReconcileContext,
  ): Promise<void> {
    const wanted = relay.spec.replicas ?? 1;
    const availableReplicas = deployment.status?.availableReplicas ?? 0;
    const isCurrent = deployment.status?.observedGeneration === deployment.metadata.generation;
    const isAvailable = isCurrent && availableReplicas >= wanted;
    const message = `${String(availableReplicas)} of ${String(wanted)} Pods can relay`;
    const { conditions } = setCondition(relay.status?.conditions, {
      type: "Available",
      status: isAvailable ? "True" : "False",
      reason: isAvailable ? "AllPodsAvailable" : "PodsNotAvailable",
      message,
      observedGeneration: relay.metadata.generation,
    });
    const status: RelayStatus = {
      observedGeneration: relay.metadata.generation ?? 0,
      availableReplicas,
      conditions,
    };
    if (isDeepStrictEqual(status, relay.status)) return;
    await this.client.status().patch({ ...relay, status }, patch.mergeFrom(relay));
    log.info("Reported", { available: isAvailable, message });
  }

  // The reason distinguishes events, so it contains the kind and the operation: DeploymentCreated.
  #tell(relay: DeepReadonly<Stored<Relay>>, child: Stored<ReadonlyObject>, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name} ${result}`;
    this.#recorder?.event(relay, { type: "Normal", reason, action: "Reconcile", note });
  }
}
