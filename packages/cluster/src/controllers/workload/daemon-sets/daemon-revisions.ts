import type { ControllerRevision, DaemonSet } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import {
  adoptRevisions,
  createRevision,
  dataEquals,
  dataOf,
  nextRevision,
  renumber,
  revisionsOf,
  type RevisionData,
} from "../controller-revisions.ts";
import { templateHash } from "../revisions.ts";
import { CONTROLLER_REVISIONS, DAEMON_SETS, PODS } from "../workload-objects.ts";
import { HASH_LABEL } from "./daemon-nodes.ts";
import type { DaemonWork } from "./daemon-pods.ts";

/** The revision of the present template, and earlier ones. */
export interface DaemonHistory {
  readonly hash: string;
  /** The oldest one first. */
  readonly old: readonly ControllerRevision[];
}

/** Returns the revisions of a daemon set; the present template's is created, or gets the next number if it is an old one. */
export async function daemonHistory(work: DaemonWork, set: DaemonSet, pods: readonly Pod[]): Promise<DaemonHistory> {
  const { client, context } = work;
  await adoptRevisions(client, set, revisionsOf(context, set, set.spec?.selector));
  const history = revisionsOf(context, set, set.spec?.selector);
  const data = dataOf(set.spec?.template ?? {});
  const old = history.filter((revision) => !dataEquals(revision.data, data));
  const equal = history.filter((revision) => dataEquals(revision.data, data));
  const number = nextRevision(old);
  const current = equal.at(-1);
  if (current === undefined) {
    const created = await createCurrent(work, set, { data, number });
    return { hash: hashOf(created), old };
  }
  await removeDuplicates(work, { kept: current, duplicates: equal.slice(0, -1), pods });
  if (current.revision < number) await renumber(client, current, number);
  return { hash: hashOf(current), old };
}

function hashOf({ metadata }: ControllerRevision): string {
  return metadata.labels?.[HASH_LABEL] ?? "";
}

// A name that another revision has is avoided by counting the collision into the hash.
async function createCurrent(
  { client, context }: DaemonWork,
  set: DaemonSet,
  { data, number }: { readonly data: RevisionData; readonly number: number },
): Promise<ControllerRevision> {
  const template = set.spec?.template ?? {};
  const { name: setName = "", namespace = "" } = set.metadata;
  for (let current = set; ;) {
    const { collisionCount } = current.status ?? {};
    const hash = templateHash(template, context.release, collisionCount);
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const created = await createRevision(client, set, { name: `${setName}-${hash}`, labels, data, number });
    if (created !== undefined) return created;
    const status = { ...current.status, collisionCount: (collisionCount ?? 0) + 1 };
    const target = { ...DAEMON_SETS, namespace, name: setName, subresource: "status" };
    const updated: unknown = await client.update(target, { ...current, status } as never);
    current = updated as DaemonSet;
  }
}

async function removeDuplicates(
  { client }: DaemonWork,
  {
    kept,
    duplicates,
    pods,
  }: {
    readonly kept: ControllerRevision;
    readonly duplicates: readonly ControllerRevision[];
    readonly pods: readonly Pod[];
  },
): Promise<void> {
  if (duplicates.length === 0) return;
  for (const { metadata } of pods.filter((pod) => pod.metadata.labels?.[HASH_LABEL] !== hashOf(kept))) {
    const { namespace = "", name = "" } = metadata;
    const body = { metadata: { labels: { [HASH_LABEL]: hashOf(kept) } } };
    await client.patch({ ...PODS, namespace, name }, { contentType: "application/merge-patch+json", body });
  }
  for (const { metadata } of duplicates) {
    const { namespace = "", name = "" } = metadata;
    await client.delete({ ...CONTROLLER_REVISIONS, namespace, name });
  }
}

/** Deletes the oldest revisions that no pod has, as many as exceed the limit of the set. */
export async function limitDaemonHistory(
  { client }: DaemonWork,
  set: DaemonSet,
  { old, pods }: { readonly old: readonly ControllerRevision[]; readonly pods: readonly Pod[] },
): Promise<void> {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[HASH_LABEL] ?? ""));
  let excess = old.length - (set.spec?.revisionHistoryLimit ?? 10);
  for (const revision of old) {
    if (excess <= 0) return;
    if (live.has(hashOf(revision))) continue;
    const { namespace = "", name = "" } = revision.metadata;
    await client.delete({ ...CONTROLLER_REVISIONS, namespace, name });
    excess -= 1;
  }
}
