import type { GroupVersionResource } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import { realClock, type Clock } from "../clock/clock.ts";
import type { RestClient } from "../rest/rest-client.ts";
import { selectionQuery, writeQuery } from "./call-query.ts";
import type { UnstructuredObject } from "./client.ts";
import {
  acceptOf,
  applyRequest,
  deleteBody,
  listQuery,
  patchRequest,
  signalOf,
  watchRequest,
  type ObjectRequest,
} from "./requests.ts";
import type { NamespaceableResource, ResourceInterface } from "./resource-interface.ts";
import { resourcePath } from "./resource-path.ts";
import { randomWatchSeconds, watchStream } from "./watch-stream.ts";

/** Reads and writes untyped objects by resource, with no question to the server about kinds. */
export interface DynamicClient {
  /** Returns the client of a resource. */
  resource(gvr: GroupVersionResource): NamespaceableResource<UnstructuredObject>;
}

/**
 * Creates a dynamic client on a rest client.
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
  const call = <A>(name: string, { subresource, ...request }: ObjectRequest): Promise<A> =>
    rest.request<A>({
      ...request,
      path: resourcePath({ gvr, namespace, name, ...(subresource === undefined ? {} : { subresource }) }),
    });
  return {
    get: (name, options = {}) =>
      call(name, {
        method: "GET",
        query: { resourceVersion: options.resourceVersion },
        ...acceptOf(options, "PartialObjectMetadata"),
        ...signalOf(options),
      }),
    list: async (options = {}) =>
      itemsWithKind(
        await call("", {
          method: "GET",
          query: listQuery(options),
          ...acceptOf(options, "PartialObjectMetadataList"),
          ...signalOf(options),
        }),
      ),
    watch: (options = {}) => watch(target, options),
    create: (object, options = {}) =>
      call("", { method: "POST", query: writeQuery(options), body: object, ...signalOf(options) }),
    update: (object, options = {}) =>
      call(nameOf(object), { method: "PUT", query: writeQuery(options), body: object, ...signalOf(options) }),
    updateStatus: (object, options = {}) =>
      call(nameOf(object), {
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
  const request = watchRequest(gvr, { ...options, namespace, timeoutSeconds });
  return watchStream<UnstructuredObject>({ rest, clock, timeoutSeconds, request });
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? "";
}

// Built-in lists name the kind once, in the list's own.
function itemsWithKind(list: ListOf<UnstructuredObject>): ListOf<UnstructuredObject> {
  const { apiVersion } = list;
  const kind = list.kind.replace(/List$/u, "");
  return {
    ...list,
    items: (list.items ?? []).map((item) => ({
      ...item,
      apiVersion: item.apiVersion ?? apiVersion,
      kind: item.kind ?? kind,
    })),
  };
}
