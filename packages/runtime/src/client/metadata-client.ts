import type { GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { RestClient } from "../rest/rest-client.ts";
import type { UnstructuredObject, WatchEvent } from "./client.ts";
import type { GetOptions, ListOptions, PatchOptions, WatchOptions } from "./options.ts";
import { partialObject, type PartialObjectMetadata, type Stored } from "./partial-object.ts";
import type { Patch } from "./patch.ts";
import { createDynamicClient, type ResourceInterface } from "./resource-clients.ts";

/**
 * Reads the metadata of the objects of one resource in one scope, patches, and deletes them.
 *
 * client-go: metadata.ResourceInterface
 */
export interface MetadataResourceInterface extends Pick<
  ResourceInterface<KubernetesObject>,
  "delete" | "deleteCollection"
> {
  /** Reads the metadata of one object. */
  get(name: string, options?: GetOptions): Promise<Stored<PartialObjectMetadata>>;
  /** Reads the metadata of the matching objects. */
  list(options?: ListOptions): Promise<ListOf<Stored<PartialObjectMetadata>>>;
  /** Watches the metadata of the matching objects. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<Stored<PartialObjectMetadata>>>;
  /** Patches an object; returns its metadata. */
  patch(name: string, patch: Patch, options?: PatchOptions): Promise<Stored<PartialObjectMetadata>>;
}

/**
 * The metadata of a resource of the cluster; `namespace` restricts it to one namespace.
 *
 * client-go: metadata.Getter
 */
export interface NamespaceableMetadataResource extends MetadataResourceInterface {
  /** Returns the client of the resource in one namespace. */
  namespace(namespace: string): MetadataResourceInterface;
}

/**
 * Reads the metadata of objects by resource, without discovery.
 *
 * client-go: metadata.Interface
 */
export interface MetadataClient {
  /** Returns the client of a resource. */
  resource(gvr: GroupVersionResource): NamespaceableMetadataResource;
}

/**
 * Creates a metadata client on a REST client.
 *
 * client-go: metadata.NewForConfigAndClient
 *
 * @example
 * const secrets = createMetadataClient(rest).resource({ group: "", version: "v1", resource: "secrets" });
 * const { items } = await secrets.namespace("default").list({ labels: { app: "web" } });
 */
export function createMetadataClient(rest: RestClient, options: { readonly clock?: Clock } = {}): MetadataClient {
  const dynamic = createDynamicClient(rest, options);
  return {
    resource: (gvr) => ({
      ...metadataOf(dynamic.resource(gvr)),
      namespace: (namespace) => metadataOf(dynamic.resource(gvr).namespace(namespace)),
    }),
  };
}

// The kind of the objects is known to discovery only.
const KIND: GroupVersionKind = { group: "meta.k8s.io", version: "v1", kind: "PartialObjectMetadata" };

function metadataOf(resource: ResourceInterface<UnstructuredObject>): MetadataResourceInterface {
  return {
    get: async (name, options) => partialObject(await resource.get(name, { ...options, metadataOnly: true }), KIND),
    list: async (options) => {
      const list = await resource.list({ ...options, metadataOnly: true });
      return { ...list, items: list.items.map((item) => partialObject(item, KIND)) };
    },
    watch: (options) => metadataEvents(resource.watch({ ...options, metadataOnly: true })),
    patch: async (name, patch, options) => {
      const { apiVersion, kind, metadata } = await resource.patch(name, patch, options);
      return partialObject({ apiVersion, kind, metadata }, KIND);
    },
    delete: (name, options) => resource.delete(name, options),
    deleteCollection: (options) => resource.deleteCollection(options),
  };
}

async function* metadataEvents(
  events: AsyncIterable<WatchEvent<Stored<KubernetesObject>>>,
): AsyncGenerator<WatchEvent<Stored<PartialObjectMetadata>>, void, undefined> {
  for await (const event of events) {
    switch (event.type) {
      case "ERROR":
        yield event;
        break;
      case "BOOKMARK":
        yield { type: event.type, object: partialObject(event.object, KIND) };
        break;
      default:
        yield { type: event.type, object: partialObject(event.object, KIND) };
    }
  }
}
