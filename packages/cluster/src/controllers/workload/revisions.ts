import { safeEncodeString, printServerJson } from "@kubescaffold/k8s";
import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";

import { DESIRED_REPLICAS, MAX_REPLICAS } from "./proportional-scaling.ts";
import { desiredReplicas, maximalReplicas } from "./rollout.ts";
import { type TemplateRelease, templateText } from "./template-hash/template-text.ts";

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

const LARGEST_REVISION = 2n ** 63n - 1n;
const LONGEST_HISTORY = 2000;

/** Returns the revision of a replica set, an integer of 64 bits; 0 without one, or if it cannot be read. */
export function revisionOf(set: ReplicaSet): bigint {
  const text = set.metadata.annotations?.[REVISION] ?? "";
  const revision = /^\d{1,19}$/u.test(text) ? BigInt(text) : 0n;
  return revision > LARGEST_REVISION ? 0n : revision;
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
  const revisions = oldSets.map((old) => revisionOf(old));
  const next = revisions.reduce((largest, revision) => (revision > largest ? revision : largest), 0n) + 1n;
  const known = set?.metadata.annotations ?? {};
  const copied = { ...known, ...copiedAnnotations(deployment) };
  if (set === undefined) return { ...copied, [REVISION]: String(next), ...scalingAnnotations(deployment) };
  const former = known[REVISION];
  if (revisionOf(set) >= next) return copied;
  const history = historyOf([known[REVISION_HISTORY], former].filter((each) => each !== undefined && each !== ""));
  return { ...copied, [REVISION]: String(next), ...(history === "" ? {} : { [REVISION_HISTORY]: history }) };
}

// The oldest revisions are dropped when the list is too long.
function historyOf(parts: readonly (string | undefined)[]): string {
  const revisions = parts.join(",").split(",");
  while (revisions.length > 1 && revisions.join(",").length > LONGEST_HISTORY) revisions.shift();
  return revisions.join(",");
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

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The label that identifies the pods of a revision. */
export const TEMPLATE_HASH_LABEL = "pod-template-hash";

/** Returns the short name of a pod template that kube-controller-manager of a version gives it; a counted collision changes it. */
export function templateHash(template: PodTemplateSpec, release: TemplateRelease, collisionCount?: number): string {
  const text = Buffer.from(templateText(template, release));
  return safeEncodeString(String(fnv32a(Buffer.concat([text, collisionBytes(collisionCount)]))));
}

function collisionBytes(collisionCount: number | undefined): Uint8Array {
  const bytes = Buffer.alloc(collisionCount === undefined ? 0 : COLLISION_BYTES);
  if (collisionCount !== undefined) bytes.writeUInt32LE(collisionCount);
  return bytes;
}

const COLLISION_BYTES = 8;

/** Returns the hash FNV-1 of 32 bits of a text, by which upstream names revisions. */
export function fnv32(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, FNV_PRIME) ^ byte) >>> 0;
  return hash;
}

/** Reports whether two templates are equal, the hash label aside. */
export function templatesEqual(left: PodTemplateSpec, right: PodTemplateSpec): boolean {
  return printServerJson(sortKeys(withoutHash(left))) === printServerJson(sortKeys(withoutHash(right)));
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [TEMPLATE_HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}

function fnv32a(bytes: Uint8Array): number {
  let hash = FNV_OFFSET;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return hash;
}
