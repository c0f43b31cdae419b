import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, untilAborted } from "@kubescaffold/platform/clock";

import type { RestMapper } from "../discovery/rest-mapping.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { callSite, fromCallSite, streamFromCallSite } from "../observe/call-site.ts";
import type { RestClient } from "../rest/rest-client.ts";
import type {
  ApplyConfiguration,
  KindRef,
  LiveClient,
  ObjectKey,
  StatusWriter,
  SubResourceClient,
  WatchEvent,
} from "./client.ts";
import { collectionOf, createSubResourceClient, gvkOnly, kindOf, ObjectCaller } from "./object-caller.ts";
import type {
  ApplyOptions,
  CreateOptions,
  DeleteAllOfOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  UpdateOptions,
  WatchOptions,
} from "./options.ts";
import { partialObject, type ReadObject, requireWhole, type Stored, type WholeObject } from "./partial-object.ts";
import type { Patch } from "./patch.ts";
import {
  acceptOf,
  applyRequest,
  deleteBody,
  listQuery,
  patchRequest,
  selectionQuery,
  signalOf,
  watchRequest,
  writeQuery,
} from "./requests.ts";
import { randomWatchSeconds, watchStream, withKind } from "./watch-stream.ts";

/** Returns a client that sends every call to the server. */
export function createLiveClient(options: ServerClientOptions): LiveClient {
  // What the server returns is assignable to what a cache may return.
  return new ServerClient(options) as Omit<ServerClient, "get" | "list"> as LiveClient;
}

interface ServerClientOptions {
  readonly rest: RestClient;
  readonly restMapper: RestMapper;
  readonly clock: Clock;
  readonly registry: MetricsRegistry | undefined;
}

class ServerClient implements Omit<LiveClient, "get" | "list"> {
  readonly restMapper: RestMapper;
  readonly #rest: RestClient;
  readonly #clock: Clock;
  readonly #caller: ObjectCaller;

  constructor({ rest, restMapper, clock, registry }: ServerClientOptions) {
    this.#rest = rest;
    this.restMapper = restMapper;
    this.#clock = clock;
    this.#caller = new ObjectCaller(rest, restMapper, registry);
  }

  async get<T extends KubernetesObject, O extends GetOptions>(
    kind: KindRef<T>,
    key: ObjectKey,
    given?: O,
  ): Promise<Stored<ReadObject<T, O>>> {
    const options: GetOptions = given ?? {};
    const answer = await this.#caller.call<T>("get", kind, {
      key,
      request: {
        method: "GET",
        query: { resourceVersion: options.resourceVersion },
        ...acceptOf(options, "PartialObjectMetadata"),
        ...signalOf(options),
      },
    });
    return (options.metadataOnly === true ? partialObject(answer, kind) : answer) as Stored<ReadObject<T, O>>;
  }

  async list<T extends KubernetesObject, O extends ListOptions>(
    kind: KindRef<T>,
    given?: O,
  ): Promise<ListOf<Stored<ReadObject<T, O>>>> {
    const options: ListOptions = given ?? {};
    const read = options.metadataOnly === true ? partialObject : withKind;
    const list = await this.#caller.list(
      kind,
      {
        key: collectionOf(options.namespace),
        request: {
          method: "GET",
          query: listQuery(options),
          ...acceptOf(options, "PartialObjectMetadataList"),
          ...signalOf(options),
        },
      },
      (item) => read(item as T, kind),
    );
    return list as unknown as ListOf<Stored<ReadObject<T, O>>>;
  }

  watch<T extends KubernetesObject, O extends WatchOptions>(
    kind: KindRef<T>,
    given?: O,
  ): AsyncIterable<WatchEvent<Stored<ReadObject<T, O>>>> {
    const options: WatchOptions = given ?? {};
    const timeoutSeconds = options.timeoutSeconds ?? randomWatchSeconds();
    const stream = watchStream<Stored<ReadObject<T, O>>>({
      rest: this.#rest,
      clock: this.#clock,
      timeoutSeconds,
      request: async () => {
        const { signal } = signalOf(options);
        const { gvr, scope } = await untilAborted(this.restMapper.restMapping(gvkOnly(kind)), signal);
        const namespace = scope === "namespaced" ? (options.namespace ?? "") : "";
        return watchRequest(gvr, { ...options, namespace, timeoutSeconds });
      },
      ...(options.metadataOnly === true ? { metadataOf: gvkOnly(kind) } : {}),
    });
    return streamFromCallSite(stream, callSite());
  }

  async create<T extends WholeObject>(object: T, options: CreateOptions = {}): Promise<Stored<T>> {
    requireWhole(object, "create");
    const { namespace = "" } = object.metadata ?? {};
    return this.#caller.call("create", kindOf(object, "create"), {
      key: { namespace, name: "" },
      isWrite: true,
      request: { method: "POST", query: writeQuery(options), body: object, ...signalOf(options) },
    });
  }

  async update<T extends WholeObject>(object: T, options: UpdateOptions = {}): Promise<Stored<T>> {
    requireWhole(object, "update");
    return this.#caller.callObject("update", object, {
      method: "PUT",
      query: writeQuery(options),
      body: object,
      ...signalOf(options),
    });
  }

  async patch<T extends ReadonlyObject>(object: T, patch: Patch, options: PatchOptions = {}): Promise<Stored<T>> {
    return this.#caller.callObject("patch", object, patchRequest(object, patch, options));
  }

  async apply<T extends KubernetesObject>(
    configuration: T | ApplyConfiguration<T>,
    options: ApplyOptions = {},
  ): Promise<Stored<T>> {
    return this.#caller.callObject("apply", configuration, applyRequest(configuration, options));
  }

  async delete(object: ReadonlyObject, options: DeleteOptions = {}): Promise<void> {
    await this.#caller.callObject("delete", object, { method: "DELETE", ...deleteBody(options), ...signalOf(options) });
  }

  async deleteAllOf(kind: GroupVersionKind, options: DeleteAllOfOptions = {}): Promise<void> {
    await this.#caller.call("delete all", kind, {
      key: collectionOf(options.namespace),
      isWrite: true,
      request: { method: "DELETE", query: selectionQuery(options), ...deleteBody(options), ...signalOf(options) },
    });
  }

  status(): StatusWriter {
    return this.subResource("status");
  }

  subResource(name: string): SubResourceClient {
    return createSubResourceClient(this.#caller, name);
  }

  async isNamespaced(kind: GroupVersionKind): Promise<boolean> {
    return (await fromCallSite(() => this.restMapper.restMapping(gvkOnly(kind)))).scope === "namespaced";
  }
}
