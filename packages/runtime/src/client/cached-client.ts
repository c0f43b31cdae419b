import { apiVersionOf, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Client, KindRef, Reader } from "./client.ts";
import { delegatingClient } from "./delegating-client.ts";

/** Says which reads go to a cache. */
export interface CachedReads {
  readonly reader: Reader;
  readonly disableFor?: readonly GroupVersionKind[];
  readonly unstructured?: boolean;
}

/** Returns a client that reads from a cache and writes to the server. */
export function cachedClient<C extends Client>(client: C, { reader, disableFor, unstructured }: CachedReads): C {
  const disabled = new Set((disableFor ?? []).map(identify));
  const readerFor = (kind: KindRef<KubernetesObject>): Reader => {
    const isUntyped = kind.create === undefined && unstructured !== true;
    return isUntyped || disabled.has(identify(kind)) ? client : reader;
  };
  return delegatingClient(client, {
    get: (kind, key, options) => readerFor(kind).get(kind, key, options),
    list: (kind, options) => readerFor(kind).list(kind, options),
  });
}

function identify(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`;
}
