import type { FieldsOf, GroupVersionResource, Kind } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import type { ReadList } from "../rest/list-reader.ts";
import { type RestClient, type RestRequest } from "../rest/rest-client.ts";
import { requireItem, requireList, requireObject } from "./checked-answers.ts";
import type { ApplyConfiguration, LiveClient, UnstructuredObject, WatchEvent } from "./client.ts";
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
import type { Stored } from "./partial-object.ts";
import type { Patch } from "./patch.ts";
import {
  acceptOf,
  applyRequest,
  deleteBody,
  listQuery,
  type ObjectRequest,
  patchRequest,
  resourcePath,
  selectionQuery,
  signalOf,
  watchRequest,
  writeQuery,
} from "./requests.ts";
import { randomWatchSeconds, watchStream } from "./watch-stream.ts";

/**
 * Reads and writes the objects of one resource in one scope, like client-go's typed and dynamic clients.
 *
 * client-go: dynamic.ResourceInterface
 */
export interface ResourceInterface<T extends KubernetesObject> {
  /** Reads one object. */
  get(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Reads the matching objects. */
  list(options?: ListOptions): Promise<ListOf<Stored<T>>>;
  /** Watches the matching objects. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<Stored<T>>>;
  /** Creates an object. */
  create(object: T, options?: CreateOptions): Promise<Stored<T>>;
  /** Replaces an object. */
  update(object: T, options?: UpdateOptions): Promise<Stored<T>>;
  /** Replaces the status of an object. */
  updateStatus(object: T, options?: UpdateOptions): Promise<Stored<T>>;
  /** Patches an object. */
  patch(name: string, patch: Patch, options?: PatchOptions): Promise<Stored<T>>;
  /** Applies the fields of one field manager. */
  apply(name: string, configuration: T | ApplyConfiguration<T>, options?: ApplyOptions): Promise<Stored<T>>;
  /** Deletes an object. */
  delete(name: string, options?: DeleteOptions): Promise<void>;
  /** Deletes the matching objects in one request. */
  deleteCollection(options?: DeleteAllOfOptions): Promise<void>;
}

/**
 * A resource of the cluster; `namespace` restricts it to one namespace.
 *
 * client-go: dynamic.NamespaceableResourceInterface
 */
export interface NamespaceableResource<T extends KubernetesObject> extends ResourceInterface<T> {
  /** Returns the client of the resource in one namespace. */
  namespace(namespace: string): ResourceInterface<T>;
}

/**
 * Reads and writes typed objects by kind, like client-go's clientsets.
 *
 * client-go: kubernetes.Interface
 */
export interface Clientset {
  /** Returns the client of a kind. */
  kind<T extends KubernetesObject>(kind: Kind<T>): NamespaceableResource<T>;
}

/**
 * Creates a clientset on a client.
 *
 * client-go: kubernetes.NewForConfig
 *
 * @example
 * const web = await createClientset(client).kind(Deployment).namespace("default").get("web");
 */
export function createClientset(client: LiveClient): Clientset {
  return {
    kind: (kind) => ({
      ...kindInterface(client, kind, ""),
      namespace: (namespace) => kindInterface(client, kind, namespace),
    }),
  };
}

function kindInterface<T extends KubernetesObject>(
  client: LiveClient,
  kind: Kind<T>,
  namespace: string,
): ResourceInterface<T> {
  const place = namespace === "" ? {} : { namespace };
  const named = (name: string): T => objectNamed(kind, { name, ...place });
  const placed = (object: T): T => ({ ...object, metadata: { ...object.metadata, ...place } });
  return {
    get: (name, options) => client.get<T>(kind, { name, namespace }, options),
    list: (options) => client.list<T>(kind, { ...options, ...place }),
    watch: (options) => client.watch<T>(kind, { ...options, ...place }),
    create: (object, options) => client.create(placed(object), options),
    update: (object, options) => client.update(placed(object), options),
    updateStatus: (object, options) => client.status().update(placed(object), options),
    patch: (name, patch, options) => client.patch(named(name), patch, options),
    apply: (name, configuration, options) =>
      client.apply<T>({ ...configuration, metadata: { ...configuration.metadata, name, ...place } }, options),
    delete: (name, options) => client.delete(named(name), options),
    deleteCollection: (options) => client.deleteAllOf(kind, { ...options, ...place }),
  };
}

function objectNamed<T extends KubernetesObject>(kind: Kind<T>, metadata: KubernetesObject["metadata"]): T {
  // Only the kind and key of the object are used.
  return kind.create({ metadata } as FieldsOf<Omit<T, "apiVersion" | "kind">>);
}

/**
 * Reads and writes untyped objects by resource, without discovery.
 *
 * client-go: dynamic.Interface
 */
export interface DynamicClient {
  /** Returns the client of a resource. */
  resource(gvr: GroupVersionResource): NamespaceableResource<UnstructuredObject>;
}

/**
 * Creates a dynamic client on a REST client.
 *
 * client-go: dynamic.New
 *
 * @example
 * const deployments = createDynamicClient(rest).resource({ group: "apps", version: "v1", resource: "deployments" });
 * const web = await deployments.namespace("default").get("web");
 */
export function createDynamicClient(rest: RestClient, options: { readonly clock?: Clock } = {}): DynamicClient {
  const clock = options.clock ?? realClock;
  return {
    resource: (gvr) => ({
      ...resourceInterface({ rest, clock, gvr, namespace: "" }),
      namespace: (namespace) => resourceInterface({ rest, clock, gvr, namespace }),
    }),
  };
}

interface Target {
  readonly rest: RestClient;
  readonly clock: Clock;
  readonly gvr: GroupVersionResource;
  readonly namespace: string;
}

function resourceInterface(target: Target): ResourceInterface<UnstructuredObject> {
  const { rest, gvr, namespace } = target;
  const requestOf = (name: string, { subresource, ...request }: ObjectRequest): RestRequest => ({
    ...request,
    path: resourcePath({ gvr, namespace, name, ...(subresource === undefined ? {} : { subresource }) }),
  });
  const call = async <A>(name: string, objectRequest: ObjectRequest): Promise<A> => {
    const request = requestOf(name, objectRequest);
    const answer = await rest.request<A>(request);
    return request.method === "DELETE" ? answer : requireObject(request, answer);
  };
  return {
    get: (name, options = {}) =>
      call(name, {
        method: "GET",
        query: { resourceVersion: options.resourceVersion },
        ...acceptOf(options, "PartialObjectMetadata"),
        ...signalOf(options),
      }),
    list: async (options = {}) => {
      const request = requestOf("", {
        method: "GET",
        query: listQuery(options),
        ...acceptOf(options, "PartialObjectMetadataList"),
        ...signalOf(options),
      });
      return itemsWithKind(requireList(request, await rest.request(request)), request);
    },
    watch: (options = {}) => watch(target, options),
    create: (object, options = {}) =>
      call("", { method: "POST", query: writeQuery(options), body: object, ...signalOf(options) }),
    update: (object, options = {}) =>
      call(objectName(object), { method: "PUT", query: writeQuery(options), body: object, ...signalOf(options) }),
    updateStatus: (object, options = {}) =>
      call(objectName(object), {
        method: "PUT",
        subresource: "status",
        query: writeQuery(options),
        body: object,
        ...signalOf(options),
      }),
    patch: (name, patch, options = {}) =>
      call(name, patchRequest({ apiVersion: "", kind: "", metadata: { name } }, patch, options)),
    apply: async (name, configuration, options = {}) => call(name, applyRequest(configuration, options)),
    delete: (name, options = {}) => call(name, { method: "DELETE", ...deleteBody(options), ...signalOf(options) }),
    deleteCollection: (options = {}) =>
      call("", { method: "DELETE", query: selectionQuery(options), ...deleteBody(options), ...signalOf(options) }),
  };
}

function watch(
  { rest, clock, gvr, namespace }: Target,
  options: Parameters<ResourceInterface<UnstructuredObject>["watch"]>[0] = {},
): ReturnType<ResourceInterface<UnstructuredObject>["watch"]> {
  const timeoutSeconds = options.timeoutSeconds ?? randomWatchSeconds();
  const request = (): RestRequest => watchRequest(gvr, { ...options, namespace, timeoutSeconds });
  return watchStream<Stored<UnstructuredObject>>({ rest, clock, timeoutSeconds, request });
}

function objectName({ metadata }: KubernetesObject): string {
  return metadata.name ?? "";
}

// The items of built-in lists have no kind; the list has it.
function itemsWithKind(list: ReadList, request: RestRequest): ListOf<Stored<UnstructuredObject>> {
  const { apiVersion, items } = list as unknown as ListOf<Stored<UnstructuredObject>>;
  const kind = typeof list["kind"] === "string" ? list["kind"].replace(/List$/u, "") : "";
  const whole = items.map((item) => ({
    ...(requireItem(request, item) as Stored<UnstructuredObject>),
    apiVersion: item.apiVersion ?? apiVersion,
    kind: item.kind ?? kind,
  }));
  return { ...list, items: whole } as unknown as ListOf<Stored<UnstructuredObject>>;
}
