/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreNotFound, isAlreadyExists, isConflict, objectKey } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
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

import { Memcached } from "../../api/v1alpha1/memcached_types.ts";
import { type ConditionState, deploymentStates, failedStates, withStates } from "./conditions.ts";
import { DEFAULT_IMAGE, selectorOf, withDesiredPods, withDesiredPorts } from "./memcached_workload.ts";

/** MemcachedReconcilerOptions are the options of a MemcachedReconciler. */
export interface MemcachedReconcilerOptions {
  /** The image of a Memcached without an image (default: the environment variable MEMCACHED_IMAGE). */
  readonly image?: string;
  /** Records events (default: the manager's recorder). */
  readonly recorder?: EventRecorder;
  /** Reads a Memcached from the API server before a status update (default: the manager's API reader, which bypasses the cache). */
  readonly reader?: Pick<Reader, "get">;
  readonly now?: () => Date;
}

type Status = NonNullable<DeepReadonly<Memcached>["status"]>;

function systemTime(): Date {
  return new Date();
}

/** MemcachedReconciler reconciles Memcached objects. */
export class MemcachedReconciler {
  readonly client: Client;
  readonly image: string;
  readonly #now: () => Date;
  #recorder: EventRecorder | undefined;
  #reader: Pick<Reader, "get"> | undefined;

  constructor(client: Client, { image, recorder, reader, now = systemTime }: MemcachedReconcilerOptions = {}) {
    this.client = client;
    // An empty variable counts as unset.
    this.image = image ?? (process.env["MEMCACHED_IMAGE"] || DEFAULT_IMAGE);
    this.#recorder = recorder;
    this.#reader = reader;
    this.#now = now;
  }

  // The minimal permissions: the garbage collector deletes owned objects, and the controller does not write the spec of a Memcached. API servers
  // can require the permission on finalizers to set owner references.
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=memcacheds,verbs=get;list;watch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=memcacheds/status,verbs=patch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=memcacheds/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,namespace=lagoon-system,resources=deployments,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups="",namespace=lagoon-system,resources=services,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups=events.k8s.io,namespace=lagoon-system,resources=events,verbs=create;patch

  /**
   * Drives the cluster toward the desired state of a Memcached, and updates its status; writes nothing if there is no difference.
   *
   * There is no finalizer: the Memcached owns all created objects, so the garbage collector deletes them. To clean up resources outside of the
   * cluster, add a finalizer with `controllerutil.addFinalizer`.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(Memcached, request));
    if (owner === undefined) return {};
    if (owner.metadata.deletionTimestamp !== undefined) {
      // Does not recreate owned objects, so that foreground deletion can complete.
      const note = "the objects that it owns are being deleted";
      this.#tell(owner, { type: "Normal", reason: "Deleting", action: "Delete", note });
      return {};
    }
    try {
      const deployment = await this.#applyDeployment(owner);
      await this.#applyService(owner);
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
    this.#recorder ??= mgr.getEventRecorder("memcached-controller");
    this.#reader ??= mgr.getApiReader();
    const controller = newControllerManagedBy(mgr).for(Memcached).owns(Deployment).owns(Service);
    await controller.named("memcached").complete(this);
  }

  async #applyDeployment(owner: DeepReadonly<Stored<Memcached>>): Promise<DeepReadonly<Deployment>> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Deployment.create({ metadata: objectKey(owner) }),
      (found) => owned(owner, found, withDesiredPods(found, owner, this.image)),
    );
    if (result !== "unchanged") this.#tellChange(owner, object, result);
    return object;
  }

  async #applyService(owner: DeepReadonly<Stored<Memcached>>): Promise<void> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Service.create({ metadata: objectKey(owner) }),
      (found) => owned(owner, found, withDesiredPorts(found, owner)),
    );
    if (result !== "unchanged") this.#tellChange(owner, object, result);
  }

  async #report(
    owner: DeepReadonly<Stored<Memcached>>,
    states: readonly ConditionState[],
    replicas?: number,
  ): Promise<void> {
    if (isDeepStrictEqual(this.#statusWith(owner, owner, states, replicas), owner.status)) return;
    // Bypasses the cache, which may not have the latest status yet, so an update would conflict. The object may not exist anymore.
    const found = await ignoreNotFound((this.#reader ?? this.client).get(Memcached, objectKey(owner)));
    if (found === undefined || found.metadata.uid !== owner.metadata.uid) return;
    const status = this.#statusWith(found, owner, states, replicas);
    if (isDeepStrictEqual(status, found.status)) return;
    const change = patch.mergeFrom(found, { optimisticLock: true });
    await ignoreNotFound(this.client.status().patch({ ...found, status }, change));
  }

  // Keeps status fields of other controllers. The generation is that of the reconciled object.
  #statusWith(
    { status }: DeepReadonly<Stored<Memcached>>,
    owner: DeepReadonly<Stored<Memcached>>,
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

  async #fail(owner: DeepReadonly<Stored<Memcached>>, error: unknown): Promise<void> {
    const note = error instanceof Error ? error.message : String(error);
    this.#tell(owner, { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", note });
    await this.#report(owner, failedStates(error));
  }

  // The reason distinguishes events, so it contains the kind and the operation: DeploymentCreated.
  #tellChange(owner: DeepReadonly<Stored<Memcached>>, child: Stored<ReadonlyObject>, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name} ${result}`;
    this.#tell(owner, { type: "Normal", reason, action: "Reconcile", note });
  }

  #tell(owner: DeepReadonly<Stored<Memcached>>, event: RecordedEvent): void {
    this.#recorder?.event(owner, event);
  }
}

/** MemcachedNameTakenError is thrown if an object with the required name exists and has another owner or none. */
export class MemcachedNameTakenError extends Error {}

// Rejects an object with the same name that this controller did not create, but adopts one that a deleted Memcached with this name has orphaned.
function owned<T extends KubernetesObject>(owner: DeepReadonly<Stored<Memcached>>, found: T, wished: T): T {
  const isNew = found.metadata.uid === undefined;
  if (!isNew && !controllerutil.hasOwnerReference(owner, found) && !hasLabels(found, selectorOf(owner))) {
    const name = `${found.kind} ${found.metadata.name ?? ""}`;
    throw new MemcachedNameTakenError(`${name} already exists and is not owned by this Memcached`);
  }
  return controllerutil.setControllerReference(owner, wished);
}

function hasLabels({ metadata }: ReadonlyObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value);
}
