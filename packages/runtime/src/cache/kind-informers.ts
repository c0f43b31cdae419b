import type { GroupVersionKind, NamespacedName } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { CacheNamespaceError } from "./errors.ts";
import type { Indexers, Lister } from "./indexer.ts";
import type { HandlerOptions, HandlerRegistration, Informer, ResourceEventHandler } from "./informer.ts";
import type { SharedInformer } from "./shared-informer.ts";

/** The informers of one kind: one, or one per namespace that is held apart. */
export class KindInformers<T extends KubernetesObject> implements Informer<T> {
  readonly #kind: GroupVersionKind;
  readonly #members: ReadonlyMap<string, SharedInformer<T>>;
  readonly #stop = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(kind: GroupVersionKind, members: ReadonlyMap<string, SharedInformer<T>>) {
    this.#kind = kind;
    this.#members = members;
  }

  /** Starts watching, unless it has. */
  start(): void {
    this.#running ??= Promise.all(this.#all().map(async (informer) => await informer.run(this.#stop.signal)));
  }

  /** Ends watching; resolves when no handler is being called any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): HandlerRegistration {
    const registrations = this.#all().map((informer) => informer.addEventHandler(handler, options));
    return registrations.length === 1 && registrations[0] !== undefined ? registrations[0] : joined(registrations);
  }

  addIndexers(indexers: Indexers<T>): void {
    for (const informer of this.#all()) {
      informer.addIndexers(indexers);
    }
  }

  hasSynced(): boolean {
    return this.#all().every((informer) => informer.hasSynced());
  }

  isStopped(): boolean {
    return this.#all().every((informer) => informer.isStopped());
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#all().map(async (informer) => await informer.waitForSync(signal)));
  }

  get(key: NamespacedName): T | undefined {
    return this.#listerFor(key.namespace).get(key);
  }

  /** Returns what holds the objects of a namespace, of all namespaces if it is empty. */
  listers(namespace: string): readonly Lister<T>[] {
    return namespace === "" ? this.#all().map((informer) => informer.lister) : [this.#listerFor(namespace)];
  }

  #listerFor(namespace: string): Lister<T> {
    const informer = this.#members.get(namespace) ?? this.#members.get("");
    if (informer === undefined) {
      throw new CacheNamespaceError(this.#kind, namespace);
    }
    return informer.lister;
  }

  #all(): readonly SharedInformer<T>[] {
    return [...this.#members.values()];
  }
}

function joined(registrations: readonly HandlerRegistration[]): HandlerRegistration {
  return {
    hasSynced: () => registrations.every((registration) => registration.hasSynced()),
    waitForSync: async (signal) => {
      await Promise.all(registrations.map(async (registration) => await registration.waitForSync(signal)));
    },
    remove: () => registrations.forEach((registration) => registration.remove()),
  };
}
