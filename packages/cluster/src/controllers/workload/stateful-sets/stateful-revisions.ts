import { goJson, safeEncodeString } from "@kubescaffold/k8s";
import type { ControllerRevision, StatefulSet } from "@kubescaffold/k8s/apps/v1";

import {
  createRevision,
  dataEquals,
  dataOf,
  nextRevision,
  renumber,
  type RevisionData,
  truncateRevisions,
} from "../controller-revisions.ts";
import { fnv32 } from "../revisions.ts";
import type { StatefulSetWork } from "./pod-control.ts";

const HASH_LABEL = "controller.kubernetes.io/hash";
const LONGEST_PREFIX = 223;

/** The revisions between which the pods of a set move. */
export interface SetRevisions {
  /** The revision that all pods had last. */
  readonly current: ControllerRevision;
  /** The revision of the present template. */
  readonly update: ControllerRevision;
  /** How often a name was taken by another revision. */
  readonly collisionCount: number;
}

/** Returns the revisions of a set, whose history ascends; the present template's is created, or gets the next number if it is an old one. */
export async function currentRevisions(
  work: StatefulSetWork,
  set: StatefulSet,
  history: readonly ControllerRevision[],
): Promise<SetRevisions> {
  const data = dataOf(set.spec?.template ?? {});
  const number = nextRevision(history);
  const equal = history.findLast((revision) => dataEquals(revision.data, data));
  let collisionCount = set.status?.collisionCount ?? 0;
  let update: ControllerRevision;
  if (equal === undefined) {
    ({ update, collisionCount } = await createUpdate(work, set, { data, number, collisionCount }));
  } else update = equal === history.at(-1) ? equal : await renumber(work.client, equal, number);
  const current = history.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current, update, collisionCount };
}

// A name that another revision has is avoided by counting the collision into the hash.
async function createUpdate(
  { client }: StatefulSetWork,
  set: StatefulSet,
  planned: { readonly data: RevisionData; readonly number: number; readonly collisionCount: number },
): Promise<{ readonly update: ControllerRevision; readonly collisionCount: number }> {
  const { data, number } = planned;
  const text = goJson(data);
  const prefix = (set.metadata.name ?? "").slice(0, LONGEST_PREFIX);
  const labels = { ...set.spec?.template.metadata?.labels, [HASH_LABEL]: hashOf(text, planned.collisionCount) };
  for (let { collisionCount } = planned; ; collisionCount += 1) {
    const name = `${prefix}-${hashOf(text, collisionCount)}`;
    const update = await createRevision(client, set, { name, labels, data, number });
    if (update !== undefined) return { update, collisionCount };
  }
}

function hashOf(data: string, collisionCount: number): string {
  return safeEncodeString(String(fnv32(`${data}${String(collisionCount)}`)));
}

/** Deletes the oldest revisions that no pod has, as many as exceed the limit of the set. */
export async function limitHistory(
  { client }: StatefulSetWork,
  set: StatefulSet,
  { history, live }: { readonly history: readonly ControllerRevision[]; readonly live: ReadonlySet<string> },
): Promise<void> {
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  if (limit >= 0) await truncateRevisions(client, history, { limit, live });
}
