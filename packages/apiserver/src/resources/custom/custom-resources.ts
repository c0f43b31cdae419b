import { deepClone, type GroupResource, toTime } from "@kubescaffold/k8s";
import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { ApiObject } from "../../storage/api-object.ts";
import type { StoreEvent } from "../../storage/object-reader.ts";
import type { Store } from "../../storage/store.ts";
import { nextGeneration } from "../object-meta.ts";
import type { Registry } from "../registry.ts";
import type { WatchRegistry } from "../watch-registry.ts";
import type { ConversionParts } from "./convert-objects.ts";
import { nextConditions, withConditions, type StatusChange } from "./crd-conditions.ts";
import { CRD_RESOURCE, hasCondition, type CrdObject } from "./crd-object.ts";
import { CLEANUP_FINALIZER } from "./crd-rules.ts";
import { customTypes } from "./custom-types.ts";

interface Parts {
  readonly store: Store;
  readonly registry: Registry;
  readonly watches: WatchRegistry;
  readonly clock: Clock;
  readonly conversion: ConversionParts;
  /** Loads what records that the server itself has changed the status of a definition. */
  readonly loadStatusTracking: () => Promise<TrackStatus>;
  /** Receives the error of a step that failed, which is retried. */
  readonly reportDefect: (error: unknown) => void;
}

type TrackStatus = (before: ApiObject, after: ApiObject) => void;

const RETRY_MS = 1000;

/**
 * Serves what CustomResourceDefinitions define: accepts their names, establishes them, and removes their objects with them.
 *
 * Each step is one write, made in a later turn than the write that made it necessary, so that watchers see them all.
 */
export class CustomResources {
  readonly #parts: Parts;
  readonly #pending = new Set<string>();
  readonly #instanceObservers = new Map<string, () => void>();
  readonly #waiters: (() => void)[] = [];
  readonly #retries = new Map<string, Timer>();
  #isScheduled = false;
  #isStopped = false;
  /** Loaded before the first step. */
  #trackStatus: TrackStatus | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.store.observe(CRD_RESOURCE, (event) => this.#onCrdEvent(event));
  }

  /** Settles once all definitions have the conditions that they will have, those that wait for a retry aside. */
  async idle(): Promise<void> {
    if (this.#pending.size > 0 && !this.#isStopped) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
  }

  /** Reads all definitions again, after the store has returned to a snapshot. */
  reload(): void {
    this.#serve();
    this.#crds().forEach((crd) => this.#enqueue(crd.metadata.name ?? ""));
  }

  stop(): void {
    this.#isStopped = true;
    this.#instanceObservers.forEach((stop) => stop());
    this.#retries.forEach((timer) => timer.cancel());
    this.#waiters.splice(0).forEach((resolve) => resolve());
  }

  #onCrdEvent({ kind, key, object, previous, revision }: StoreEvent): void {
    const crd = object as CrdObject;
    const hasNewSpec = kind === "modified" && object.metadata.generation !== previous?.metadata.generation;
    this.#serve();
    if (kind === "deleted" || hasNewSpec) {
      this.#endWatches(crd);
    }
    if (hasNewSpec || (isServed(crd) && !(previous !== undefined && isServed(previous as CrdObject)))) {
      // A real server starts a watch cache for each state of a definition.
      this.#parts.store.table(instancesOf(crd)).expireWatches(revision);
    }
    if (kind === "deleted") {
      this.#instanceObservers.get(key)?.();
      this.#instanceObservers.delete(key);
      // Its names may be what others wait for.
      this.#crds().forEach((crd) => this.#enqueue(crd.metadata.name ?? ""));
    } else {
      this.#enqueue(key);
    }
  }

  #serve(): void {
    const { registry, conversion } = this.#parts;
    const served = this.#crds().filter(isServed);
    registry.setCustom(served.flatMap((crd) => customTypes(registry.release, crd, conversion)));
  }

  #endWatches({ spec }: CrdObject): void {
    this.#parts.watches.endWhere(
      ({ type }) => type.isCustom && type.group === spec.group && type.resource === spec.names.plural,
    );
  }

  #enqueue(name: string): void {
    this.#pending.add(name);
    if (!this.#isScheduled && !this.#isStopped) {
      this.#isScheduled = true;
      setImmediate(() => void this.#run());
    }
  }

  async #run(): Promise<void> {
    const isReady = await this.#loadStatusTracking();
    this.#isScheduled = false;
    const names = [...this.#pending];
    this.#pending.clear();
    for (const name of this.#isStopped ? [] : names) {
      if (isReady) this.#attempt(name);
      else this.#retry(name);
    }
    if (this.#pending.size === 0) {
      this.#waiters.splice(0).forEach((resolve) => resolve());
    }
  }

  async #loadStatusTracking(): Promise<boolean> {
    try {
      this.#trackStatus ??= await this.#parts.loadStatusTracking();
      return true;
    } catch (error) {
      this.#parts.reportDefect(error);
      return false;
    }
  }

  #attempt(name: string): void {
    try {
      this.#sync(name);
    } catch (error) {
      this.#parts.reportDefect(error);
      this.#retry(name);
    }
  }

  #retry(name: string): void {
    this.#retries.get(name)?.cancel();
    const timer = this.#parts.clock.setTimeout(() => {
      this.#retries.delete(name);
      this.#enqueue(name);
    }, RETRY_MS);
    this.#retries.set(name, timer.unref());
  }

  #sync(name: string): void {
    const crd = this.#parts.store.get(CRD_RESOURCE, { namespace: "", name }) as CrdObject | undefined;
    if (crd === undefined) {
      return;
    }
    if (crd.metadata.deletionTimestamp !== undefined) {
      this.#finalize(name, crd);
      return;
    }
    const change = nextConditions(crd, this.#crds());
    if (change !== undefined) {
      this.#writeStatus(name, crd, change);
    }
  }

  #finalize(name: string, crd: CrdObject): void {
    if (crd.metadata.finalizers?.includes(CLEANUP_FINALIZER) !== true) {
      return;
    }
    const isInProgress = crd.status?.conditions?.some(
      ({ type, reason }) => type === "Terminating" && reason === "InstanceDeletionInProgress",
    );
    if (isInProgress !== true) {
      this.#writeStatus(name, crd, { conditions: [DELETION_IN_PROGRESS] });
      return;
    }
    this.#deleteInstances(crd);
    if (this.#instances(crd).length === 0) {
      this.#release(name, crd);
    } else {
      this.#awaitInstances(name, crd);
    }
  }

  #release(name: string, crd: CrdObject): void {
    const { store } = this.#parts;
    const write = { groupResource: CRD_RESOURCE, key: name, current: crd };
    const finalizers = crd.metadata.finalizers?.filter((finalizer) => finalizer !== CLEANUP_FINALIZER) ?? [];
    if (finalizers.length === 0) {
      store.delete(write);
      return;
    }
    const released = deepClone<CrdObject>(crd);
    released.metadata.finalizers = finalizers;
    const changed = withConditions(released, { conditions: [DELETION_COMPLETED] }, this.#now());
    this.#trackStatus?.(crd, changed);
    store.write(write, changed);
  }

  #instances(crd: CrdObject): readonly ApiObject[] {
    return this.#parts.store.list(instancesOf(crd));
  }

  #deleteInstances(crd: CrdObject): void {
    const groupResource = instancesOf(crd);
    for (const instance of this.#instances(crd)) {
      const { namespace, name = "", finalizers = [], deletionTimestamp } = instance.metadata;
      const key = namespace === undefined ? name : `${namespace}/${name}`;
      const write = { groupResource, key, current: instance };
      if (finalizers.length === 0) {
        this.#parts.store.delete(write);
      } else if (deletionTimestamp === undefined) {
        const marked = deepClone(instance);
        marked.metadata.deletionTimestamp = this.#now();
        marked.metadata.deletionGracePeriodSeconds = 0;
        marked.metadata.generation = nextGeneration(marked);
        this.#parts.store.write(write, marked);
      }
    }
  }

  #awaitInstances(name: string, crd: CrdObject): void {
    if (!this.#instanceObservers.has(name)) {
      this.#instanceObservers.set(
        name,
        this.#parts.store.observe(instancesOf(crd), ({ kind }) => {
          if (kind === "deleted") {
            this.#enqueue(name);
          }
        }),
      );
    }
  }

  #writeStatus(name: string, crd: CrdObject, change: StatusChange): void {
    const changed = withConditions(deepClone<CrdObject>(crd), change, this.#now());
    this.#trackStatus?.(crd, changed);
    this.#parts.store.write({ groupResource: CRD_RESOURCE, key: name, current: crd }, changed);
  }

  #crds(): readonly CrdObject[] {
    return this.#parts.store.list(CRD_RESOURCE) as readonly CrdObject[];
  }

  #now(): string {
    return toTime(this.#parts.clock.now());
  }
}

function instancesOf({ spec }: CrdObject): GroupResource {
  return { group: spec.group, resource: spec.names.plural };
}

function isServed(crd: CrdObject): boolean {
  return hasCondition(crd, "NamesAccepted") || hasCondition(crd, "Established");
}

const DELETION_IN_PROGRESS = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
} as const;

const DELETION_COMPLETED = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
} as const;
