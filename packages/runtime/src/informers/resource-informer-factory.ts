import { apiVersionOf, type GroupVersionResource } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { ListWatch } from "../cache/list-watch.ts";
import type { UnstructuredObject } from "../client/client.ts";
import type { MetadataClient } from "../client/metadata-client.ts";
import type { PartialObjectMetadata } from "../client/partial-object.ts";
import type { DynamicClient } from "../client/resource-clients.ts";
import {
  type InformerFactory,
  type InformerFactoryOptions,
  type InformerWithLister,
  SharedInformers,
} from "./informer-factory.ts";

/** Informers by resource, one for each resource, without discovery. */
export interface ResourceInformerFactory<T extends KubernetesObject> extends InformerFactory<GroupVersionResource> {
  /** Returns the informer of a resource. */
  forResource(gvr: GroupVersionResource): InformerWithLister<T>;
}

/**
 * Informers of untyped objects by resource.
 *
 * client-go: dynamic/dynamicinformer.DynamicSharedInformerFactory
 */
export type DynamicSharedInformerFactory = ResourceInformerFactory<UnstructuredObject>;

/**
 * Informers of the metadata of objects by resource.
 *
 * client-go: metadata/metadatainformer.SharedInformerFactory
 */
export type MetadataSharedInformerFactory = ResourceInformerFactory<PartialObjectMetadata>;

/**
 * Creates a factory of informers on a dynamic client.
 *
 * client-go: dynamic/dynamicinformer.NewFilteredDynamicSharedInformerFactory
 *
 * @example
 * const factory = createDynamicSharedInformerFactory(createDynamicClient(rest));
 * const { lister } = factory.forResource({ group: "apps", version: "v1", resource: "deployments" });
 */
export function createDynamicSharedInformerFactory(
  client: DynamicClient,
  options: InformerFactoryOptions<GroupVersionResource> = {},
): DynamicSharedInformerFactory {
  return resourceInformers(
    (gvr, namespace) => (namespace === "" ? client.resource(gvr) : client.resource(gvr).namespace(namespace)),
    options,
  );
}

/**
 * Creates a factory of informers on a metadata client.
 *
 * client-go: metadata/metadatainformer.NewSharedInformerFactoryWithOptions
 */
export function createMetadataSharedInformerFactory(
  client: MetadataClient,
  options: InformerFactoryOptions<GroupVersionResource> = {},
): MetadataSharedInformerFactory {
  return resourceInformers(
    (gvr, namespace) => (namespace === "" ? client.resource(gvr) : client.resource(gvr).namespace(namespace)),
    options,
  );
}

function resourceInformers<T extends KubernetesObject>(
  requestsOf: (gvr: GroupVersionResource, namespace: string) => ListWatch<T>,
  options: InformerFactoryOptions<GroupVersionResource>,
): ResourceInformerFactory<T> {
  const informers = new SharedInformers(options);
  return {
    forResource: (gvr) =>
      informers.informerFor({
        target: gvr,
        name: `${apiVersionOf(gvr)}/${gvr.resource}`,
        // The kind of a resource is known to discovery only.
        kind: { group: gvr.group, version: gvr.version, kind: gvr.resource },
        acceptsAnyKind: true,
        listWatchIn: (namespace) => requestsOf(gvr, namespace),
      }),
    start: (signal) => informers.start(signal),
    waitForCacheSync: (signal) => informers.waitForCacheSync(signal),
    shutdown: () => informers.shutdown(),
  };
}
