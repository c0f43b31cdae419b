import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Cache } from "../cache/cache.ts";
import type { Client, KindRef } from "../client/client.ts";
import { readYourWritesClient } from "../client/read-your-writes.ts";
import { cachedClient } from "../client/wrapped-clients.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { Reconciler } from "../reconcile/reconcile.ts";
import type { DependentObjects, Dependents } from "./dependent.ts";
import { DependentsReconciler, type DependentsReconcilerOptions } from "./dependents-reconciler.ts";
import { clusterScopedError } from "./desired-object.ts";
import { controllerUidOf } from "./obsolete-objects.ts";

/** What the reconciler of dependents needs of a manager. */
export interface DependentsManager {
  getClient(): Client;
  getCache(): Cache;
  getClock(): Clock;
  getMetricsRegistry(): MetricsRegistry;
}

/**
 * Returns the reconciler of a manager's controller: it reads from the cache, which the controller watches anyway, and its reads wait for its writes, so that
 * no write is repeated because the cache lags behind.
 */
export function managedDependents<O extends KubernetesObject, E extends DependentObjects>(
  manager: DependentsManager,
  options: Omit<DependentsReconcilerOptions<O, E>, "client" | "clock">,
): Reconciler {
  const [cache, clock, registry] = [manager.getCache(), manager.getClock(), manager.getMetricsRegistry()];
  const cached = cachedClient(manager.getClient(), { reader: cache, unstructured: true });
  const client = readYourWritesClient(cached, { cache, isCached: () => true, clock, registry });
  return new DependentsReconciler<O, E>({ ...options, client, clock }, ({ metadata }) => ({
    fields: { [CONTROLLER_FIELD]: metadata.uid ?? "" },
  }));
}

/**
 * Prepares the cache for dependents, and returns their kinds, each one once.
 *
 * Fails: {@link DependentObjectError} for cluster-scoped kinds of namespaced owners; like `getInformer` of the cache.
 */
export async function prepareDependents(
  manager: DependentsManager,
  owner: GroupVersionKind,
  dependents: Dependents<never>,
): Promise<readonly KindRef<KubernetesObject>[]> {
  const kinds = new Map<string, KindRef<KubernetesObject>>();
  const client = manager.getClient();
  for (const [name, { kind }] of Object.entries(dependents)) {
    if (!(await client.isNamespaced(kind)) && (await client.isNamespaced(owner))) {
      throw clusterScopedError({ name, kind, owner });
    }
    kinds.set(identify(kind), kind);
  }
  for (const kind of kinds.values()) {
    await indexControlled(manager.getCache(), kind);
  }
  return [...kinds.values()];
}

const CONTROLLER_FIELD = "kubescaffold.dev/controller-uid";
const indexed = new WeakMap<Cache, Map<string, Promise<void>>>();

// Several controllers may have dependents of a kind, but a cache has an index only once.
async function indexControlled(cache: Cache, kind: KindRef<KubernetesObject>): Promise<void> {
  const known = indexed.get(cache) ?? new Map<string, Promise<void>>();
  indexed.set(cache, known);
  const id = identify(kind);
  const indexing =
    known.get(id) ??
    cache.indexField(kind, CONTROLLER_FIELD, (object) => {
      const uid = controllerUidOf(object);
      return uid === undefined ? [] : [uid];
    });
  known.set(id, indexing);
  try {
    await indexing;
  } catch (error) {
    known.delete(id);
    throw error;
  }
}

function identify({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
