import type { Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { WatchingClient } from "./client.ts";
import type { NamespaceableResource, ResourceInterface } from "./resource-interface.ts";

/** Reads and writes typed objects by kind, in the manner of client-go's clientsets. */
export interface Clientset {
  /** Returns the client of a kind. */
  kind<T extends KubernetesObject>(kind: Kind<T>): NamespaceableResource<T>;
}

/**
 * Creates a clientset on a client.
 *
 * @example
 * const web = await createClientset(client).kind(Deployment).namespace("default").get("web");
 */
export function createClientset(client: WatchingClient): Clientset {
  return {
    kind: (kind) => ({
      ...kindInterface(client, kind, ""),
      namespace: (namespace) => kindInterface(client, kind, namespace),
    }),
  };
}

function kindInterface<T extends KubernetesObject>(
  client: WatchingClient,
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
  // Only kind and key of the object are looked at.
  return kind.create({ metadata } as Omit<T, "apiVersion" | "kind">);
}
