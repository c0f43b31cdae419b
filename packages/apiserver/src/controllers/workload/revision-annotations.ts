import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";

import { DESIRED_REPLICAS, MAX_REPLICAS } from "./proportional-scaling.ts";
import { desiredReplicas, maximalReplicas } from "./rollout.ts";

/** The annotation of deployments and their replica sets that counts the templates. */
export const REVISION = "deployment.kubernetes.io/revision";

const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";

// These belong to the controller or to kubectl; all other annotations of a deployment are repeated on its replica sets.
const NOT_COPIED: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
]);

type Annotations = Readonly<Record<string, string>>;

/** Returns the revision of a replica set, 0 without one. */
export function revisionOf(set: ReplicaSet): number {
  return Number.parseInt(set.metadata.annotations?.[REVISION] ?? "0", 10);
}

/**
 * Returns the annotations of the replica set that has a deployment's present template.
 *
 * A set that is rolled back to gets the next revision, and remembers those that it had.
 */
export function newSetAnnotations(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  oldSets: readonly ReplicaSet[],
): Annotations {
  const next = Math.max(0, ...oldSets.map((old) => revisionOf(old))) + 1;
  const known = set?.metadata.annotations ?? {};
  const copied = { ...known, ...copiedAnnotations(deployment) };
  if (set === undefined) return { ...copied, [REVISION]: String(next), ...scalingAnnotations(deployment) };
  const former = known[REVISION];
  if (revisionOf(set) >= next) return copied;
  const history = [known[REVISION_HISTORY], former].filter((each) => each !== undefined && each !== "").join(",");
  return { ...copied, [REVISION]: String(next), ...(history === "" ? {} : { [REVISION_HISTORY]: history }) };
}

/** Returns the annotations by which a later change of the number of replicas is noticed. */
export function scalingAnnotations(deployment: Deployment): Annotations {
  return {
    [DESIRED_REPLICAS]: String(desiredReplicas(deployment)),
    [MAX_REPLICAS]: String(maximalReplicas(deployment)),
  };
}

function copiedAnnotations(deployment: Deployment): Annotations {
  return Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !NOT_COPIED.has(name)),
  );
}
