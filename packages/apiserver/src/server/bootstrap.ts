import { gvkOf, type GroupResource, ScaffoldError, deepClone } from "@kubescaffold/k8s";

import { toTime, type Clock } from "../clock/clock.ts";
import type { ResourceCatalog } from "../resources/registry.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";
import { keyOf } from "../storage/object-key.ts";
import type { Store } from "../storage/store.ts";

const DEFAULT_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;

interface Bootstrap {
  readonly store: Store;
  readonly resources: ResourceCatalog;
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly namespaces: readonly string[] | undefined;
  readonly initialObjects: readonly JsonObject[];
}

/** Stores what a server holds from the beginning: its namespaces, and the objects of its options. */
export function storeFirstObjects(bootstrap: Bootstrap): void {
  for (const name of bootstrap.namespaces ?? DEFAULT_NAMESPACES) {
    storeObject(bootstrap, newNamespace(name), { group: "", resource: "namespaces" });
  }
  for (const initial of bootstrap.initialObjects) {
    const object = deepClone(initial) as unknown as ApiObject;
    const resource = bootstrap.resources.findByKind(gvkOf(object));
    if (resource === undefined) {
      throw new UnknownInitialKindError(`${object.apiVersion} ${object.kind}`);
    }
    storeObject(bootstrap, object, resource.storedAs);
  }
}

function newNamespace(name: string): ApiObject {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function storeObject({ store, clock, newUid }: Bootstrap, object: ApiObject, groupResource: GroupResource): void {
  const { metadata } = object;
  metadata.uid ??= newUid();
  metadata.creationTimestamp ??= toTime(clock.now());
  const key = keyOf({ namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
  const { kind, apiVersion, ...rest } = object;
  store.write({ groupResource, key, current: store.table(groupResource).get(key) }, { kind, apiVersion, ...rest });
}

/**
 * Thrown when an initial object of a server has a kind that is not built in.
 *
 * Fix: Create custom resources after their CustomResourceDefinition is established.
 */
class UnknownInitialKindError extends ScaffoldError {
  readonly code = "APISERVER_UNKNOWN_KIND";

  constructor(kind: string) {
    super(`cannot store an initial object of kind ${kind}: the kind is not built in`, {
      hint: "create objects of custom kinds once their CustomResourceDefinition is established",
    });
  }
}
