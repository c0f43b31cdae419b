import { type GroupResource, gvkOf, ScaffoldError, toTime } from "@kubescaffold/k8s";
import type { ServiceCIDR } from "@kubescaffold/k8s/networking/v1";
import type { Clock } from "@kubescaffold/platform/clock";
import { deepEqual } from "@kubescaffold/schema/values";

import { type Identities, objectOccasion } from "../pipeline/identities.ts";
import type { ResourceCatalog } from "../resources/registry.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";
import { keyOf } from "../storage/object-key.ts";
import type { Store } from "../storage/store.ts";

const DEFAULT_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;

interface Bootstrap {
  readonly store: Store;
  readonly resources: ResourceCatalog;
  readonly clock: Clock;
  readonly newUid: Identities["newUid"];
  readonly namespaces: readonly string[] | undefined;
  readonly initialObjects: readonly JsonObject[];
  /** Whether the store has the objects of an earlier run, which stay as they are. */
  readonly isRestored: boolean;
}

/** Stores what a server holds from the beginning: its namespaces, and the objects of its options. */
export function storeFirstObjects(bootstrap: Bootstrap): void {
  const created = toTime(bootstrap.clock.now());
  for (const name of bootstrap.namespaces ?? DEFAULT_NAMESPACES) {
    storeObject(bootstrap, newNamespace(name), { groupResource: { group: "", resource: "namespaces" }, created });
  }
  for (const initial of bootstrap.initialObjects) {
    const object = initial as unknown as ApiObject;
    const resource = bootstrap.resources.findByKind(gvkOf(object));
    if (resource === undefined) {
      throw new UnknownInitialKindError(`${object.apiVersion} ${object.kind}`);
    }
    storeObject(bootstrap, object, { groupResource: resource.storedAs, created });
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

function storeObject(
  { store, newUid, isRestored }: Bootstrap,
  object: ApiObject,
  { groupResource, created }: { readonly groupResource: GroupResource; readonly created: string },
): void {
  const { kind, apiVersion, metadata: stated, ...rest } = object;
  const key = keyOf({ namespace: stated.namespace ?? "", name: stated.name ?? "" });
  const table = store.table(groupResource);
  const former = table.get(key);
  // As kube-apiserver, which replaces the Lease of an earlier run when it starts.
  if (former !== undefined && stated.labels?.[IDENTITY_LABEL] !== undefined)
    store.delete({ groupResource, key, current: former });
  const current = table.get(key);
  if (isRestored && current !== undefined && !isOutdated(current, object)) return;
  const uid =
    stated.uid ?? (isRestored ? current?.metadata.uid : undefined) ?? newUid(objectOccasion(groupResource, key));
  const metadata = { ...stated, uid, creationTimestamp: stated.creationTimestamp ?? created };
  store.write({ groupResource, key, current }, { kind, apiVersion, metadata, ...rest });
}

const IDENTITY_LABEL = "apiserver.kubernetes.io/identity";
const BOOTSTRAP_LABEL = "kubernetes.io/bootstrapping";

// As kube-apiserver does when it starts, since the controllers of a newer version may need further permissions.
function isOutdated(current: ApiObject, object: ApiObject): boolean {
  if (object.kind === "ServiceCIDR") return isUpgrade(rangesOf(current), rangesOf(object));
  if (object.metadata.labels?.[BOOTSTRAP_LABEL] === undefined || object["aggregationRule"] !== undefined) return false;
  return !deepEqual(current["rules"], object["rules"]) || !deepEqual(current["subjects"], object["subjects"]);
}

// The range of the server may become dual-stack; other changes of it are left to the user.
function isUpgrade(current: readonly string[], ranges: readonly string[]): boolean {
  return current.length === 1 && ranges.length === 2 && current[0] === ranges[0];
}

function rangesOf(range: ApiObject): readonly string[] {
  return (range as unknown as ServiceCIDR).spec?.cidrs ?? [];
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
