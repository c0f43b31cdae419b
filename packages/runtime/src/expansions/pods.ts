import { Binding, Pod } from "@kubescaffold/k8s/core/v1";
import { Eviction } from "@kubescaffold/k8s/policy/v1";

import type { Client, ObjectKey } from "../client/client.ts";
import type { SubResourceCreateOptions } from "../client/options.ts";

/** Options of {@link evictPod}. */
export interface EvictOptions extends SubResourceCreateOptions {
  /** The options of the deletion, such as `gracePeriodSeconds` and `preconditions`. Default: those of the Pod. */
  readonly deleteOptions?: NonNullable<Eviction["deleteOptions"]>;
}

/**
 * Evicts a Pod: deletes it if its disruption budgets allow that.
 *
 * Fails: `isTooManyRequests` while a budget forbids it, `isNotFound` without the Pod.
 *
 * client-go: kubernetes/typed/core/v1.PodExpansion
 *
 * @example
 * await evictPod(client, { namespace: "default", name: "web-0" });
 */
export async function evictPod(client: Client, key: ObjectKey, options: EvictOptions = {}): Promise<void> {
  const { deleteOptions, ...call } = options;
  const eviction = Eviction.create({
    metadata: { ...key },
    ...(deleteOptions === undefined ? {} : { deleteOptions }),
  });
  await client.subResource("eviction").create(podOf(key), eviction, call);
}

/**
 * Binds a Pod to a node, as schedulers do.
 *
 * Fails: `isConflict` when the Pod is already bound.
 *
 * client-go: kubernetes/typed/core/v1.PodExpansion
 *
 * @example
 * await bindPod(client, { namespace: "default", name: "web-0" }, "node-1");
 */
export async function bindPod(
  client: Client,
  key: ObjectKey,
  node: string,
  options: SubResourceCreateOptions = {},
): Promise<void> {
  const binding = Binding.create({ metadata: { ...key }, target: { apiVersion: "v1", kind: "Node", name: node } });
  await client.subResource("binding").create(podOf(key), binding, options);
}

// Only the kind and key are used.
function podOf(key: ObjectKey): Pod {
  return Pod.create({ metadata: { ...key } });
}
