/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { isDeepStrictEqual } from "node:util";

import { ignoreNotFound, isAlreadyExists, isConflict, objectKey } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
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

import { Busybox } from "../../api/v1alpha1/busybox_types.ts";
import { type ConditionState, deploymentStates, failedStates, withStates } from "./conditions.ts";
import { DEFAULT_IMAGE, selectorOf, withDesiredPods } from "./busybox_workload.ts";

/** What a BusyboxReconciler may be given; what is absent it finds by itself. */
export interface BusyboxReconcilerOptions {
  /** The image of a Busybox that names none; the variable BUSYBOX_IMAGE unless given. */
  readonly image?: string;
  /** Where events go; to the manager's recorder unless given. */
  readonly recorder?: EventRecorder;
  /** Reads a Busybox as the server has it, whose status is to be written; through the manager, past its cache, unless given. */
  readonly reader?: Pick<Reader, "get">;
  readonly now?: () => Date;
}

type Status = NonNullable<Busybox["status"]>;

function systemTime(): Date {
  return new Date();
}

/** BusyboxReconciler makes the cluster what a Busybox says it should be. */
export class BusyboxReconciler {
  readonly client: Client;
  readonly image: string;
  readonly #now: () => Date;
  #recorder: EventRecorder | undefined;
  #reader: Pick<Reader, "get"> | undefined;

  constructor(client: Client, { image, recorder, reader, now = systemTime }: BusyboxReconcilerOptions = {}) {
    this.client = client;
    // Set but empty means the same as not set.
    this.image = image ?? (process.env["BUSYBOX_IMAGE"] || DEFAULT_IMAGE);
    this.#recorder = recorder;
    this.#reader = reader;
    this.#now = now;
  }

  // No more than what is done here: deletion is left to the garbage collector, and nobody but its user writes a Busybox. The permission on
  // finalizers is asked of those who make a Busybox the owner of other objects.
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=busyboxes,verbs=get;list;watch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=busyboxes/status,verbs=patch
  // +kubebuilder:rbac:groups=reef.example.com,namespace=lagoon-system,resources=busyboxes/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,namespace=lagoon-system,resources=deployments,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups=events.k8s.io,namespace=lagoon-system,resources=events,verbs=create;patch

  /**
   * Makes what a Busybox asks for, repairs what was changed in it, and reports how it is; with nothing to change it writes nothing.
   *
   * There is no finalizer: all that is made here has the Busybox as its owner, so that it is deleted with it. Add one with
   * `controllerutil.addFinalizer` if something outside of the cluster has to be cleaned up.
   */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(Busybox, request));
    if (owner === undefined) return {};
    if (owner.metadata.deletionTimestamp !== undefined) {
      // Somebody waits for what it owns to go first; making that again would never let it end.
      const note = "what it owns is being deleted";
      this.#tell(owner, { type: "Normal", reason: "Deleting", action: "Delete", note });
      return {};
    }
    try {
      const deployment = await this.#applyDeployment(owner);
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
    this.#recorder ??= mgr.getEventRecorder("busybox-controller");
    this.#reader ??= mgr.getApiReader();
    const controller = newControllerManagedBy(mgr).for(Busybox).owns(Deployment);
    await controller.named("busybox").complete(this);
  }

  async #applyDeployment(owner: Busybox): Promise<Deployment> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Deployment.create({ metadata: objectKey(owner) }),
      (found) => owned(owner, found, withDesiredPods(found, owner, this.image)),
    );
    if (result !== "unchanged") this.#tellChange(owner, object, result);
    return object;
  }

  async #report(owner: Busybox, states: readonly ConditionState[], replicas?: number): Promise<void> {
    if (isDeepStrictEqual(this.#statusWith(owner, owner, states, replicas), owner.status)) return;
    // The cache may not have the status yet that was written last: one that is built on it would be refused. The object may be gone by now.
    const found = await ignoreNotFound((this.#reader ?? this.client).get(Busybox, objectKey(owner)));
    if (found === undefined || found.metadata.uid !== owner.metadata.uid) return;
    const status = this.#statusWith(found, owner, states, replicas);
    if (isDeepStrictEqual(status, found.status)) return;
    const change = patch.mergeFrom(found, { optimisticLock: true });
    await ignoreNotFound(this.client.status().patch({ ...found, status }, change));
  }

  // What of the status others write stays; the generation is that of the object that was reconciled.
  #statusWith({ status }: Busybox, owner: Busybox, states: readonly ConditionState[], replicas?: number): Status {
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

  async #fail(owner: Busybox, error: unknown): Promise<void> {
    const note = error instanceof Error ? error.message : String(error);
    this.#tell(owner, { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", note });
    await this.#report(owner, failedStates(error));
  }

  // The reason tells one event from another, so it names the kind and what was done: DeploymentCreated.
  #tellChange(owner: Busybox, child: KubernetesObject, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name ?? ""} ${result}`;
    this.#tell(owner, { type: "Normal", reason, action: "Reconcile", note });
  }

  #tell(owner: Busybox, event: RecordedEvent): void {
    this.#recorder?.event(owner, event);
  }
}

/** Is thrown when an object that a Busybox needs is there already and belongs to nobody, or to somebody else. */
export class BusyboxNameTakenError extends Error {}

// An object of the same name that others have made is left alone; one that a deleted Busybox of the name has left behind is taken over.
function owned<T extends KubernetesObject>(owner: Busybox, found: T, wished: T): T {
  const isNew = found.metadata.uid === undefined;
  if (!isNew && !controllerutil.hasOwnerReference(owner, found) && !hasLabels(found, selectorOf(owner))) {
    const name = `${found.kind} ${found.metadata.name ?? ""}`;
    throw new BusyboxNameTakenError(`there is a ${name} that others have made`);
  }
  return controllerutil.setControllerReference(owner, wished);
}

function hasLabels({ metadata }: KubernetesObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value);
}
