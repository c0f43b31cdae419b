/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { isDeepStrictEqual } from "node:util";

import { ignoreNotFound, isAlreadyExists, isConflict, objectKey } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
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
} from "@kubescaffold/runtime";

import { Memcached } from "../../api/v1alpha1/memcached_types.ts";
import { type ConditionState, deploymentStates, failedStates, withStates } from "./conditions.ts";
import { DEFAULT_IMAGE, selectorOf, withDesiredPods, withDesiredPorts } from "./memcached_workload.ts";

/** What a MemcachedReconciler may be given; what is absent it finds by itself. */
export interface MemcachedReconcilerOptions {
  /** The image of a Memcached that names none; the variable MEMCACHED_IMAGE unless given. */
  readonly image?: string;
  /** Where events go; to the manager's recorder unless given. */
  readonly recorder?: EventRecorder;
  /** Reads a Memcached as the server has it, whose status is to be written; through the manager, past its cache, unless given. */
  readonly reader?: Pick<Reader, "get">;
  readonly now?: () => Date;
}

type Status = NonNullable<Memcached["status"]>;

function systemTime(): Date {
  return new Date();
}

/** MemcachedReconciler makes the cluster what a Memcached says it should be. */
export class MemcachedReconciler {
  readonly client: Client;
  readonly image: string;
  readonly #now: () => Date;
  #recorder: EventRecorder | undefined;
  #reader: Pick<Reader, "get"> | undefined;

  constructor(client: Client, { image, recorder, reader, now = systemTime }: MemcachedReconcilerOptions = {}) {
    this.client = client;
    // Set but empty means the same as not set.
    this.image = image ?? (process.env["MEMCACHED_IMAGE"] || DEFAULT_IMAGE);
    this.#recorder = recorder;
    this.#reader = reader;
    this.#now = now;
  }

  // No more than what is done here: deletion is left to the garbage collector, and nobody but its user writes a Memcached. The permission on
  // finalizers is asked of those who make a Memcached the owner of other objects.
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=memcacheds,verbs=get;list;watch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=memcacheds/status,verbs=patch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=memcacheds/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,namespace=lagoon-system,resources=deployments,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups="",namespace=lagoon-system,resources=services,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups=events.k8s.io,namespace=lagoon-system,resources=events,verbs=create;patch

  /**
   * Makes what a Memcached asks for, repairs what was changed in it, and reports how it is; with nothing to change it writes nothing.
   *
   * There is no finalizer: all that is made here has the Memcached as its owner, so that it is deleted with it. Add one with
   * `controllerutil.addFinalizer` if something outside of the cluster has to be cleaned up.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(Memcached, request));
    if (owner === undefined) return {};
    if (owner.metadata.deletionTimestamp !== undefined) {
      // Somebody waits for what it owns to go first; making that again would never let it end.
      const note = "what it owns is being deleted";
      this.#tell(owner, { type: "Normal", reason: "Deleting", action: "Delete", note });
      return {};
    }
    try {
      const deployment = await this.#applyDeployment(owner);
      await this.#applyService(owner);
      await this.#report(owner, deploymentStates(deployment), deployment.status?.replicas ?? 0);
    } catch (error) {
      // What is read may be a moment old: the next try sees what others have written.
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

  async #applyDeployment(owner: Memcached): Promise<Deployment> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Deployment.create({ metadata: objectKey(owner) }),
      (found) => owned(owner, found, withDesiredPods(found, owner, this.image)),
    );
    if (result !== "unchanged") this.#tellChange(owner, object, result);
    return object;
  }

  async #applyService(owner: Memcached): Promise<void> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Service.create({ metadata: objectKey(owner) }),
      (found) => owned(owner, found, withDesiredPorts(found, owner)),
    );
    if (result !== "unchanged") this.#tellChange(owner, object, result);
  }

  async #report(owner: Memcached, states: readonly ConditionState[], replicas?: number): Promise<void> {
    if (isDeepStrictEqual(this.#statusWith(owner, owner, states, replicas), owner.status)) return;
    // The cache may not have the status yet that was written last: one that is built on it would be refused. The object may be gone by now.
    const found = await ignoreNotFound((this.#reader ?? this.client).get(Memcached, objectKey(owner)));
    if (found === undefined || found.metadata.uid !== owner.metadata.uid) return;
    const status = this.#statusWith(found, owner, states, replicas);
    if (isDeepStrictEqual(status, found.status)) return;
    const change = patch.mergeFrom(found, { optimisticLock: true });
    await ignoreNotFound(this.client.status().patch({ ...found, status }, change));
  }

  // What of the status others write stays; the generation is that of the object that was reconciled.
  #statusWith({ status }: Memcached, owner: Memcached, states: readonly ConditionState[], replicas?: number): Status {
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

  async #fail(owner: Memcached, error: unknown): Promise<void> {
    const note = error instanceof Error ? error.message : String(error);
    this.#tell(owner, { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", note });
    await this.#report(owner, failedStates(error));
  }

  // The reason tells one event from another, so it names the kind and what was done: DeploymentCreated.
  #tellChange(owner: Memcached, child: KubernetesObject, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name ?? ""} ${result}`;
    this.#tell(owner, { type: "Normal", reason, action: "Reconcile", note });
  }

  #tell(owner: Memcached, event: RecordedEvent): void {
    this.#recorder?.event(owner, event);
  }
}

/** Is thrown when an object that a Memcached needs is there already and belongs to nobody, or to somebody else. */
export class MemcachedNameTakenError extends Error {}

// An object of the same name that others have made is left alone; one that a deleted Memcached of the name has left behind is taken over.
function owned<T extends KubernetesObject>(owner: Memcached, found: T, wished: T): T {
  const isNew = found.metadata.uid === undefined;
  if (!isNew && !controllerutil.hasOwnerReference(owner, found) && !hasLabels(found, selectorOf(owner))) {
    const name = `${found.kind} ${found.metadata.name ?? ""}`;
    throw new MemcachedNameTakenError(`there is a ${name} that others have made`);
  }
  return controllerutil.setControllerReference(owner, wished);
}

function hasLabels({ metadata }: KubernetesObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value);
}
