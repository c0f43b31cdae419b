/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreNotFound, isAlreadyExists, isConflict, objectKey } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  controllerutil,
  type EventRecorder,
  type Manager,
  newControllerManagedBy,
  patch,
  type Reader,
  type ReconcileContext,
  type RecordedEvent,
  type Request,
  type Result,
  type Stored,
} from "@kubescaffold/runtime";

import { Busybox } from "../../api/v1alpha1/busybox_types.ts";
import { type ConditionState, deploymentStates, failedStates, withStates } from "./conditions.ts";
import { DEFAULT_IMAGE, selectorOf, withDesiredPods } from "./busybox_workload.ts";

/** BusyboxReconcilerOptions are the options of a BusyboxReconciler. */
export interface BusyboxReconcilerOptions {
  /** The image of a Busybox without an image (default: the environment variable BUSYBOX_IMAGE). */
  readonly image?: string;
  /** Records events (default: the manager's recorder). */
  readonly recorder?: EventRecorder;
  /** Reads a Busybox from the API server before a status update (default: the manager's API reader, which bypasses the cache). */
  readonly reader?: Pick<Reader, "get">;
  readonly now?: () => Date;
}

type Status = NonNullable<DeepReadonly<Busybox>["status"]>;

function systemTime(): Date {
  return new Date();
}

/** BusyboxReconciler reconciles Busybox objects. */
export class BusyboxReconciler {
  readonly client: Client;
  readonly image: string;
  readonly #now: () => Date;
  #recorder: EventRecorder | undefined;
  #reader: Pick<Reader, "get"> | undefined;

  constructor(client: Client, { image, recorder, reader, now = systemTime }: BusyboxReconcilerOptions = {}) {
    this.client = client;
    // An empty variable counts as unset.
    this.image = image ?? (process.env["BUSYBOX_IMAGE"] || DEFAULT_IMAGE);
    this.#recorder = recorder;
    this.#reader = reader;
    this.#now = now;
  }

  // The minimal permissions: the garbage collector deletes owned objects, and the controller does not write the spec of a Busybox. API servers
  // can require the permission on finalizers to set owner references.
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=busyboxes,verbs=get;list;watch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=busyboxes/status,verbs=patch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=busyboxes/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,namespace=lagoon-system,resources=deployments,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups=events.k8s.io,namespace=lagoon-system,resources=events,verbs=create;patch

  /**
   * Drives the cluster toward the desired state of a Busybox, and updates its status; writes nothing if there is no difference.
   *
   * There is no finalizer: the Busybox owns all created objects, so the garbage collector deletes them. To clean up resources outside of the
   * cluster, add a finalizer with `controllerutil.addFinalizer`.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(Busybox, request));
    if (owner === undefined) return {};
    if (owner.metadata.deletionTimestamp !== undefined) {
      // Does not recreate owned objects, so that foreground deletion can complete.
      const note = "the objects that it owns are being deleted";
      this.#tell(owner, { type: "Normal", reason: "Deleting", action: "Delete", note });
      return {};
    }
    try {
      const deployment = await this.#applyDeployment(owner);
      await this.#report(owner, deploymentStates(deployment), deployment.status?.replicas ?? 0);
    } catch (error) {
      // The cache may be stale: the next attempt reads the changes of others.
      const isPassing = isConflict(error) || isAlreadyExists(error) || context.signal.aborted;
      if (!isPassing) await this.#fail(owner, error);
      throw error;
    }
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#recorder ??= mgr.getEventRecorder("busybox-controller");
    this.#reader ??= mgr.getApiReader();
    const controller = newControllerManagedBy(mgr).for(Busybox).owns(Deployment);
    await controller.named("busybox").complete(this);
  }

  async #applyDeployment(owner: DeepReadonly<Stored<Busybox>>): Promise<DeepReadonly<Deployment>> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Deployment.create({ metadata: objectKey(owner) }),
      (found) => owned(owner, found, withDesiredPods(found, owner, this.image)),
    );
    if (result !== "unchanged") this.#tellChange(owner, object, result);
    return object;
  }

  async #report(
    owner: DeepReadonly<Stored<Busybox>>,
    states: readonly ConditionState[],
    replicas?: number,
  ): Promise<void> {
    if (isDeepStrictEqual(this.#statusWith(owner, owner, states, replicas), owner.status)) return;
    // Bypasses the cache, which may not have the latest status yet, so an update would conflict. The object may not exist anymore.
    const found = await ignoreNotFound((this.#reader ?? this.client).get(Busybox, objectKey(owner)));
    if (found === undefined || found.metadata.uid !== owner.metadata.uid) return;
    const status = this.#statusWith(found, owner, states, replicas);
    if (isDeepStrictEqual(status, found.status)) return;
    const change = patch.mergeFrom(found, { optimisticLock: true });
    await ignoreNotFound(this.client.status().patch({ ...found, status }, change));
  }

  // Keeps status fields of other controllers. The generation is that of the reconciled object.
  #statusWith(
    { status }: DeepReadonly<Stored<Busybox>>,
    owner: DeepReadonly<Stored<Busybox>>,
    states: readonly ConditionState[],
    replicas?: number,
  ): Status {
    const observedGeneration = owner.metadata.generation;
    const [selector] = Object.entries(selectorOf(owner)).map(([label, value]) => `${label}=${value}`);
    return {
      ...status,
      ...(replicas === undefined ? {} : { replicas }),
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
      ...(selector === undefined ? {} : { selector }),
      conditions: withStates(status?.conditions, states, { observedGeneration, now: this.#now() }),
    };
  }

  async #fail(owner: DeepReadonly<Stored<Busybox>>, error: unknown): Promise<void> {
    const note = error instanceof Error ? error.message : String(error);
    this.#tell(owner, { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", note });
    await this.#report(owner, failedStates(error));
  }

  // The reason distinguishes events, so it contains the kind and the operation: DeploymentCreated.
  #tellChange(owner: DeepReadonly<Stored<Busybox>>, child: Stored<ReadonlyObject>, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name} ${result}`;
    this.#tell(owner, { type: "Normal", reason, action: "Reconcile", note });
  }

  #tell(owner: DeepReadonly<Stored<Busybox>>, event: RecordedEvent): void {
    this.#recorder?.event(owner, event);
  }
}

/** BusyboxNameTakenError is thrown if an object with the required name exists and has another owner or none. */
export class BusyboxNameTakenError extends Error {}

// Rejects an object with the same name that this controller did not create, but adopts one that a deleted Busybox with this name has orphaned.
function owned<T extends KubernetesObject>(owner: DeepReadonly<Stored<Busybox>>, found: T, wished: T): T {
  const isNew = found.metadata.uid === undefined;
  if (!isNew && !controllerutil.hasOwnerReference(owner, found) && !hasLabels(found, selectorOf(owner))) {
    const name = `${found.kind} ${found.metadata.name ?? ""}`;
    throw new BusyboxNameTakenError(`${name} already exists and is not owned by this Busybox`);
  }
  return controllerutil.setControllerReference(owner, wished);
}

function hasLabels({ metadata }: ReadonlyObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value);
}
