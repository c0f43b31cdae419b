import { apiVersionOf, defineKind, objectKey, StatusError, type GroupVersionKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf, ObjectMeta, Status } from "@kubescaffold/k8s/meta/v1";
import { onAbort } from "@kubescaffold/platform/clock";

import type { KindRef, ObjectKey, WatchEvent, LiveClient } from "../../src/client/client.ts";
import type { ListOptions, WatchOptions } from "../../src/client/options.ts";
import type { Stored } from "../../src/client/partial-object.ts";
import type { RestMapper, RestMapping } from "../../src/discovery/rest-mapping.ts";

export interface Widget extends KubernetesObject {
  spec: { size: number };
  status?: { ready: boolean };
}
export const Widget: Kind<Widget> = defineKind<Widget>({ group: "demo", version: "v1" }, "Widget");

export interface Gadget extends KubernetesObject {
  spec: { owner?: string };
}
export const Gadget: Kind<Gadget> = defineKind<Gadget>({ group: "demo", version: "v1" }, "Gadget");

export interface Zone extends KubernetesObject {
  spec: { name?: string };
}
export const Zone: Kind<Zone> = defineKind<Zone>({ group: "demo", version: "v1" }, "Zone");

export type Call =
  | { readonly verb: "list"; readonly kind: string; readonly options: ListOptions }
  | { readonly verb: "watch"; readonly kind: string; readonly options: WatchOptions }
  | { readonly verb: "get"; readonly kind: string; readonly key: ObjectKey };

export function statusError(code: number, reason: string, more: Partial<Status> = {}): StatusError {
  return new StatusError({ status: "Failure", code, reason, message: `${reason} says the fake server`, ...more });
}

interface LoggedEvent {
  readonly version: number;
  readonly kind: string;
  readonly event: WatchEvent;
}

interface OpenWatch {
  readonly kind: string;
  readonly options: WatchOptions;
  push(event: WatchEvent): void;
  end(error?: Error): void;
}

/**
 * Is a server in memory that only lists, watches and reads, and does to its callers what a test tells it to.
 *
 * It knows one kind of selection: the namespace.
 */
export class FakeServer {
  readonly calls: Call[] = [];
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #events: LoggedEvent[] = [];
  readonly #watches = new Set<OpenWatch>();
  readonly clusterScoped = new Set<string>(["Zone"]);
  /** Whether watches may begin with initial events; if not, they are refused and not recorded. */
  streamsInitialEvents = false;
  /** Whether the bookmark after the initial events is missing. */
  withholdsInitialEventsEnd = false;
  #version = 100;
  #compacted = 0;
  /** Called before each list and watch; what it throws is the answer, a promise delays it. */
  onList: (options: ListOptions, kind: string) => void | Promise<void> = () => undefined;
  onWatch: (options: WatchOptions, kind: string) => void | Promise<void> = () => undefined;

  get version(): string {
    return String(this.#version);
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  callsOf(verb: Call["verb"]): readonly Call[] {
    return this.calls.filter((call) => call.verb === verb);
  }

  put<T extends KubernetesObject>(object: T): T {
    const name = this.#nameOf(object.kind, objectKey(object));
    const isNew = !this.#objects.has(name);
    this.#version += 1;
    const stored = structuredClone(object);
    stored.metadata.resourceVersion = this.version;
    this.#objects.set(name, stored);
    this.#publish(object.kind, { type: isNew ? "ADDED" : "MODIFIED", object: stored });
    return stored;
  }

  remove(object: KubernetesObject): void {
    const name = this.#nameOf(object.kind, objectKey(object));
    const stored = structuredClone(this.#objects.get(name) ?? object);
    this.#objects.delete(name);
    this.#version += 1;
    stored.metadata.resourceVersion = this.version;
    this.#publish(object.kind, { type: "DELETED", object: stored });
  }

  /** Moves the version on as writes of other kinds do. */
  skipVersions(count: number): void {
    this.#version += count;
  }

  bookmark(kind: GroupVersionKind): void {
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { resourceVersion: this.version } };
    this.push(kind.kind, { type: "BOOKMARK", object });
  }

  /** Sends an event to the open watches and to nobody else. */
  push(kind: string, event: WatchEvent): void {
    for (const watch of this.#watches) {
      if (watch.kind === kind) watch.push(event);
    }
  }

  endWatches(error?: Error): void {
    for (const watch of this.#watches) watch.end(error);
  }

  /** Forgets what happened, so that old versions are expired. */
  compact(): void {
    this.#compacted = this.#version;
    this.#events.length = 0;
  }

  client(): LiveClient {
    const refuse = (): never => {
      throw statusError(405, "MethodNotAllowed");
    };
    return {
      get: async (kind, key) => this.#get(kind, key) as never,
      list: async (kind, options) => (await this.#list(kind, options ?? {})) as never,
      watch: (kind, options) => this.#watch(kind, options ?? {}) as never,
      restMapper: this.restMapper(),
      isNamespaced: async (kind) => !this.clusterScoped.has(kind.kind),
      create: refuse,
      update: refuse,
      patch: refuse,
      apply: refuse,
      delete: refuse,
      deleteAllOf: refuse,
      status: refuse,
      subResource: refuse,
    };
  }

  restMapper(): RestMapper {
    const mapping = (gvk: GroupVersionKind): RestMapping => ({
      gvk,
      gvr: { group: gvk.group, version: gvk.version, resource: `${gvk.kind.toLowerCase()}s` },
      scope: this.clusterScoped.has(gvk.kind) ? "cluster" : "namespaced",
    });
    return {
      restMapping: async (gvk) => mapping(gvk),
      restMappings: async (groupKind) => [mapping({ ...groupKind, version: "v1" })],
      kindFor: async (resource) => ({ group: resource.group ?? "", version: "v1", kind: resource.resource }),
      kindsFor: () => Promise.reject(new TypeError("not in this fake")),
      resourceFor: () => Promise.reject(new TypeError("not in this fake")),
      resourcesFor: () => Promise.reject(new TypeError("not in this fake")),
      singularOf: () => Promise.reject(new TypeError("not in this fake")),
      reset: () => undefined,
    };
  }

  #get<T extends KubernetesObject>(kind: KindRef<T>, key: ObjectKey): T {
    this.calls.push({ verb: "get", kind: kind.kind, key });
    const found = this.#objects.get(this.#nameOf(kind.kind, { namespace: key.namespace ?? "", name: key.name }));
    if (found === undefined) throw statusError(404, "NotFound");
    return structuredClone(found) as T;
  }

  async #list<T extends KubernetesObject>(kind: KindRef<T>, options: ListOptions): Promise<ListOf<T>> {
    this.calls.push({ verb: "list", kind: kind.kind, options });
    await this.onList(options, kind.kind);
    const all = [...this.#objects.values()].filter((object) => isSelected(object, kind.kind, options));
    const start = Number(options.continue ?? 0);
    const end = options.limit === undefined || options.resourceVersion === "0" ? all.length : start + options.limit;
    return {
      apiVersion: apiVersionOf(kind),
      kind: `${kind.kind}List`,
      metadata: { resourceVersion: this.version, ...(end < all.length ? { continue: String(end) } : {}) },
      items: structuredClone(all.slice(start, end)) as T[],
    };
  }

  async *#watch<T extends KubernetesObject>(kind: KindRef<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    if (options.sendInitialEvents === true && !this.streamsInitialEvents) throw statusError(422, "Invalid");
    this.calls.push({ verb: "watch", kind: kind.kind, options });
    await this.onWatch(options, kind.kind);
    const since = options.sendInitialEvents === true ? this.#version : Number(options.resourceVersion ?? 0);
    if (since < this.#compacted) throw statusError(410, "Expired");
    const initial = options.sendInitialEvents === true ? this.#initialEvents(kind, options) : [];
    const waiting: (WatchEvent | { readonly end: Error | undefined })[] = this.#events
      .filter((logged) => logged.version > since && logged.kind === kind.kind && "metadata" in logged.event.object)
      .filter((logged) => isSelected(logged.event.object as KubernetesObject, kind.kind, options))
      .map((logged) => logged.event);
    waiting.unshift(...initial);
    let wake = (): void => undefined;
    const watch: OpenWatch = {
      kind: kind.kind,
      options,
      push: (event) => {
        waiting.push(event);
        wake();
      },
      end: (error) => {
        waiting.push({ end: error });
        wake();
      },
    };
    this.#watches.add(watch);
    const forget = onAbort(options.signal, () => watch.end());
    try {
      for (;;) {
        const next = waiting.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if ("end" in next) {
          if (next.end !== undefined) throw next.end;
          return;
        } else {
          yield structuredClone(next) as WatchEvent<T>;
        }
      }
    } finally {
      forget();
      this.#watches.delete(watch);
    }
  }

  #initialEvents(kind: GroupVersionKind, options: WatchOptions): readonly WatchEvent[] {
    const selected = [...this.#objects.values()].filter((object) => isSelected(object, kind.kind, options));
    const metadata = { resourceVersion: this.version, annotations: { "k8s.io/initial-events-end": "true" } };
    const added = selected.map((object) => ({ type: "ADDED" as const, object }));
    if (this.withholdsInitialEventsEnd) return added;
    return [...added, { type: "BOOKMARK", object: { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata } }];
  }

  #publish(kind: string, event: WatchEvent & { readonly object: KubernetesObject }): void {
    this.#events.push({ version: this.#version, kind, event });
    for (const watch of this.#watches) {
      if (watch.kind === kind && isSelected(event.object, kind, watch.options)) watch.push(event);
    }
  }

  #nameOf(kind: string, key: { readonly namespace: string; readonly name: string }): string {
    return `${kind}/${this.clusterScoped.has(kind) ? "" : key.namespace}/${key.name}`;
  }
}

function isSelected(object: KubernetesObject, kind: string, options: ListOptions): boolean {
  const namespace = options.namespace ?? "";
  return object.kind === kind && (namespace === "" || object.metadata.namespace === namespace);
}

/** Returns an object as a server stores it. */
export function storedWidget(name: string, metadata: ObjectMeta = {}): Stored<Widget> {
  const { spec } = widget(name);
  return Widget.create({
    spec,
    metadata: { namespace: "default", name, uid: name, resourceVersion: "1", ...metadata },
  }) as Stored<Widget>;
}

export function widget(name: string, more: Partial<Omit<Widget, "kind">> = {}): Widget {
  const { metadata, ...rest } = more;
  return Widget.create({ spec: { size: 1 }, ...rest, metadata: { namespace: "default", name, ...metadata } });
}
