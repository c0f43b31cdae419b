import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import {
  groupResourceToString,
  isNotFound,
  parseApiVersion,
  PercentError,
  scaledValue,
  StatusError,
} from "@kubescaffold/k8s";
import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";

import { controllerOf, DEPLOYMENTS, readStored, REPLICA_SETS } from "../workload/workload-objects.ts";

/** How many pods a budget expects, or why that is unknown. */
export type PodExpectation =
  | {
      readonly kind: "known";
      readonly expectedPods: number;
      readonly desiredHealthy: number;
      /** Whether pods without a controller are missing from the count. */
      readonly hasUnmanagedPods: boolean;
    }
  | { readonly kind: "unknown"; readonly message: string };

type Scale =
  | { readonly kind: "found"; readonly uid: string; readonly replicas: number }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly message: string };

/** Reads the scales of the controllers of pods. */
interface ScaleReader {
  readonly context: ServerContext;
  readonly client: InternalClient;
}

/**
 * Returns how many of the pods that a budget selects are expected, and how many must be healthy.
 *
 * A count of `minAvailable` needs the pods alone; the other forms need the scale of the pods' controllers.
 */
export async function expectPods(
  reader: ScaleReader,
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
): Promise<PodExpectation> {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== "string") {
    const isAbsent = minAvailable === undefined;
    return {
      kind: "known",
      expectedPods: isAbsent ? 0 : pods.length,
      desiredHealthy: minAvailable ?? 0,
      hasUnmanagedPods: false,
    };
  }
  const scale = await totalScale(reader, pods);
  if (scale.kind === "failed") return { kind: "unknown", message: scale.message };
  const { total, hasUnmanagedPods } = scale;
  try {
    const amount = scaledValue(maxUnavailable ?? minAvailable ?? 0, { total, rounding: "up" });
    const desiredHealthy = maxUnavailable === undefined ? amount : Math.max(0, total - amount);
    return { kind: "known", expectedPods: total, desiredHealthy, hasUnmanagedPods };
  } catch (error) {
    if (error instanceof PercentError) return { kind: "unknown", message: error.message };
    throw error;
  }
}

type TotalScale =
  | { readonly kind: "total"; readonly total: number; readonly hasUnmanagedPods: boolean }
  | { readonly kind: "failed"; readonly message: string };

async function totalScale(reader: ScaleReader, pods: readonly Pod[]): Promise<TotalScale> {
  const replicas = new Map<string, number>();
  let hasUnmanagedPods = false;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) {
      hasUnmanagedPods = true;
      continue;
    }
    if (replicas.has(controller.uid)) continue;
    const { namespace = "", name = "" } = pod.metadata;
    const scale =
      deploymentScale(reader.context, controller, namespace) ?? (await ownScale(reader, controller, namespace));
    if (scale.kind === "failed") return scale;
    if (scale.kind === "missing")
      return { kind: "failed", message: `found no controllers for pod ${JSON.stringify(name)}` };
    replicas.set(scale.uid, scale.replicas);
  }
  const total = [...replicas.values()].reduce((sum, each) => sum + each, 0);
  return { kind: "total", total, hasUnmanagedPods };
}

// The pods of a Deployment belong to its ReplicaSets.
function deploymentScale(context: ServerContext, controller: OwnerReference, namespace: string): Scale | undefined {
  if (!isOfApps(controller, "ReplicaSet")) return undefined;
  const set = readStored<ReplicaSet>(context, REPLICA_SETS, { namespace, name: controller.name });
  const owner = set === undefined || set.metadata.uid !== controller.uid ? undefined : controllerOf(set);
  if (owner === undefined || !isOfApps(owner, "Deployment")) return undefined;
  const deployment = readStored<Deployment>(context, DEPLOYMENTS, { namespace, name: owner.name });
  if (deployment === undefined || deployment.metadata.uid !== owner.uid) return undefined;
  return { kind: "found", uid: owner.uid, replicas: deployment.spec?.replicas ?? 1 };
}

function isOfApps({ apiVersion, kind }: OwnerReference, wanted: string): boolean {
  return kind === wanted && ["apps", "extensions"].includes(parseApiVersion(apiVersion).group);
}

async function ownScale(
  { context, client }: ScaleReader,
  controller: OwnerReference,
  namespace: string,
): Promise<Scale> {
  const { apiVersion, kind, name, uid } = controller;
  const { group, version } = parseApiVersion(apiVersion);
  const resource = context.resources.findByKind({ group, version, kind });
  if (resource === undefined)
    return {
      kind: "failed",
      message: `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`,
    };
  if (!resource.subresources.includes("scale"))
    return { kind: "failed", message: `${groupResourceToString(resource)} does not implement the scale subresource` };
  const target = { group, version, resource: resource.resource, namespace, name, subresource: "scale" };
  try {
    const { metadata, spec } = (await client.get(target)) as unknown as StoredScale;
    return metadata.uid === uid ? { kind: "found", uid, replicas: spec?.replicas ?? 0 } : { kind: "missing" };
  } catch (error) {
    if (isNotFound(error)) return { kind: "missing" };
    if (error instanceof StatusError) return { kind: "failed", message: error.message };
    throw error;
  }
}

interface StoredScale {
  readonly metadata: { readonly uid?: string };
  readonly spec?: { readonly replicas?: number };
}
