import { type InternalClient, type ServerContext, storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import { goJson, isAlreadyExists, parseServerJson, serverInteger } from "@kubescaffold/k8s";
import type { ControllerRevision } from "@kubescaffold/k8s/apps/v1";
import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";

import { CONTROLLER_REVISIONS, controllerOf, controllerReference } from "./workload-objects.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** Contents of a revision: a strategic merge patch, which brings a pod template back. */
export type RevisionData = NonNullable<ControllerRevision["data"]>;

/** Returns the contents of the revision that keeps a pod template; Go clients compare its bytes, so that its keys are sorted. */
export function dataOf(template: PodTemplateSpec): RevisionData {
  return parseServerJson(goJson({ spec: { template: { ...template, $patch: "replace" } } })) as RevisionData;
}

/** Returns the pod template that a revision keeps. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = data as unknown as { readonly spec: { readonly template: PodTemplateSpec } };
  const { $patch: _, ...template } = spec.template as PodTemplateSpec & { readonly $patch?: string };
  return template;
}

/** Reports whether two revisions keep the same. */
export function dataEquals(left: RevisionData | undefined, right: RevisionData | undefined): boolean {
  return goJson(left) === goJson(right);
}

/** Lists the revisions that a selector chooses and that no other controller owns, by their number, then by their age. */
export function revisionsOf(
  { objects }: ServerContext,
  owner: KubernetesObject,
  selector: LabelSelector | undefined,
): readonly ControllerRevision[] {
  const revisions = objects.list(CONTROLLER_REVISIONS, owner.metadata.namespace) as unknown as ControllerRevision[];
  const isMatch = storedSelectorMatcher(selector);
  return revisions
    .filter((revision) => {
      const uid = controllerOf(revision)?.uid;
      const isFree = uid === undefined || uid === owner.metadata.uid;
      return isFree && isMatch(revision.metadata.labels);
    })
    .toSorted(byRevision);
}

function byRevision(left: ControllerRevision, right: ControllerRevision): number {
  const [{ creationTimestamp: a = "", name: c = "" }, { creationTimestamp: b = "", name: d = "" }] = [
    left.metadata,
    right.metadata,
  ];
  if (left.revision !== right.revision) return left.revision < right.revision ? -1 : 1;
  if (a !== b) return a < b ? -1 : 1;
  return c < d ? -1 : 1;
}

/** A revision to create. */
interface NewRevision {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly data: RevisionData;
  readonly number: number;
}

/** Creates a revision of an owner. Returns the stored one, which may have existed; undefined if its name belongs to one with other contents. */
export async function createRevision(
  client: InternalClient,
  owner: KubernetesObject,
  { name, labels, data, number }: NewRevision,
): Promise<ControllerRevision | undefined> {
  const { namespace = "", annotations } = owner.metadata;
  const revision = {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name,
      namespace,
      labels,
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision: number,
  };
  try {
    const created = await client.create({ ...CONTROLLER_REVISIONS, namespace, name: "" }, revision as never);
    return created as unknown as ControllerRevision;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await client.get({ ...CONTROLLER_REVISIONS, namespace, name });
    const existing = found as unknown as ControllerRevision;
    return dataEquals(existing.data, data) ? existing : undefined;
  }
}

/** Returns the number of the next revision; the revisions ascend. */
export function nextRevision(revisions: readonly ControllerRevision[]): number {
  const last: number | bigint = revisions.at(-1)?.revision ?? 0;
  return serverInteger(BigInt(last) + 1n) as number;
}

/** Gives a revision another number, as a rollback does. */
export async function renumber(
  client: InternalClient,
  revision: ControllerRevision,
  number: number,
): Promise<ControllerRevision> {
  if (revision.revision === number) return revision;
  const { namespace = "", name = "" } = revision.metadata;
  const target = { ...CONTROLLER_REVISIONS, namespace, name };
  return (await client.update(target, { ...revision, revision: number } as never)) as unknown as ControllerRevision;
}

/** Makes an object the controller of revisions that have none. */
export async function adoptRevisions(
  client: InternalClient,
  owner: KubernetesObject,
  revisions: readonly ControllerRevision[],
): Promise<void> {
  for (const revision of revisions) {
    if (controllerOf(revision) !== undefined) continue;
    const { namespace = "", name = "", uid } = revision.metadata;
    const body = { metadata: { uid, ownerReferences: [controllerReference(owner)] } };
    await client.patch({ ...CONTROLLER_REVISIONS, namespace, name }, { contentType: STRATEGIC, body });
  }
}

/** Deletes the oldest revisions that nothing uses any more, until at most `limit` of them are left. */
export async function truncateRevisions(
  client: InternalClient,
  revisions: readonly ControllerRevision[],
  { limit, live }: { readonly limit: number; readonly live: ReadonlySet<string> },
): Promise<void> {
  const unused = revisions.filter(({ metadata }) => !live.has(metadata.name ?? ""));
  for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit))) {
    const { namespace = "", name = "" } = metadata;
    await client.delete({ ...CONTROLLER_REVISIONS, namespace, name });
  }
}
