import {
  isBadRequest,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isResourceExpired,
  type JSONValue,
  messageOf,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import type { LiveClient } from "../client/client.ts";
import type { PartialObjectMetadata, Stored } from "../client/partial-object.ts";
import { json, type Patch, raw } from "../client/patch.ts";
import type { TokenBucketRateLimiter } from "../wait/token-bucket.ts";
import { parallelizeUntil } from "../workqueue/parallelize.ts";
import { type DefinitionState, isLeavingVersion } from "./definition-state.ts";
import { hasLeavingFields, movedManagedFields } from "./moved-managed-fields.ts";

/** An object that the API server refused to store. */
export interface RefusedObject {
  /** `namespace/name`, or the name. */
  readonly object: string;
  /** The message of the API server. */
  readonly reason: string;
}

/** The objects of a kind, by what happened to them. */
export interface RewriteCounts {
  /** All that were listed. */
  listed: number;
  /** Written by this migration, or found to be stored in the storage version already. */
  rewritten: number;
  /** Written by another client since the migration began, and so in the storage version. */
  writtenByOthers: number;
  /** Deleted since they were listed. */
  deleted: number;
  /** Objects whose managed fields were moved from versions that are dropped. */
  fieldsMoved: number;
  /** Refused by the API server; the migration stops after 100. */
  readonly refused: RefusedObject[];
}

/** A pass over the objects of a kind. */
export interface RewritePass {
  readonly client: LiveClient;
  readonly state: DefinitionState;
  readonly limiter: TokenBucketRateLimiter;
  readonly pageSize: number;
  readonly workers: number;
  readonly fieldOwner: string;
  /** Objects whose version is higher were written after API servers used the storage version; undefined in dry runs. */
  readonly checkpoint: string | undefined;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
  readonly counts: RewriteCounts;
  /** Called after each page. */
  readonly onPage?: (counts: RewriteCounts) => void;
}

/** The number of refused objects after which a migration stops. */
const MOST_REFUSED = 100;
// Somebody who writes an object each time between reading and writing it.
const MOST_ATTEMPTS = 10;

type Listed = Stored<PartialObjectMetadata>;

/** Returns counts of nothing. */
export function noCounts(): RewriteCounts {
  return { listed: 0, rewritten: 0, writtenByOthers: 0, deleted: 0, fieldsMoved: 0, refused: [] };
}

/** Rewrites all objects of a kind. Fails: with errors of the API server that do not concern one object, so that the pass can be repeated. */
export async function rewriteObjects(pass: RewritePass): Promise<void> {
  let token = "";
  // Objects are counted once, however often the list is read.
  pass.counts.listed = 0;
  do {
    const page = await readPage(pass, token);
    // Those that were rewritten are skipped by their version, so starting again costs reads only.
    if (page === undefined) {
      pass.counts.listed = 0;
      token = "";
      continue;
    }
    pass.counts.listed += page.items.length;
    const { items } = page;
    await rewriteAll(pass, items);
    pass.onPage?.(pass.counts);
    token = page.metadata.continue ?? "";
    if (token === "") return;
  } while (pass.counts.refused.length < MOST_REFUSED);
}

async function rewriteAll(pass: RewritePass, items: readonly Listed[]): Promise<void> {
  const { workers, signal } = pass;
  try {
    await parallelizeUntil(items.length, async (index) => await rewrite(pass, items[index]), { workers, signal });
  } catch (error) {
    signal.throwIfAborted();
    // All calls fail for the same reason: the server, or the connection.
    throw error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  }
}

/** Returns the version of a list that is read now: all objects with a higher one are written later. */
export async function currentVersion(
  client: LiveClient,
  { kind }: DefinitionState,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { metadata } = await client.list(kind, { limit: 1, metadataOnly: true, signal });
  return metadata.resourceVersion;
}

async function readPage(
  { client, state, pageSize, signal }: RewritePass,
  token: string,
): Promise<ListOf<Listed> | undefined> {
  const rest = token === "" ? {} : { continue: token };
  try {
    return await client.list(state.kind, {
      metadataOnly: true,
      limit: pageSize,
      signal,
      ...rest,
    });
  } catch (error) {
    if (token !== "" && isResourceExpired(error)) return undefined;
    throw error;
  }
}

async function rewrite(pass: RewritePass, listed: Listed | undefined): Promise<void> {
  const { counts } = pass;
  if (listed === undefined || counts.refused.length >= MOST_REFUSED) return;
  let current = listed;
  for (let attempt = 1; ; attempt += 1) {
    const isMoving = hasOldFields(pass, current);
    // The version proves what a write would: that the object is stored in the storage version.
    if (!isMoving && isAfter(current.metadata.resourceVersion, pass.checkpoint)) {
      counts.writtenByOthers += 1;
      return;
    }
    try {
      await write(pass, current, isMoving);
      counts.rewritten += 1;
      if (isMoving) counts.fieldsMoved += 1;
      return;
    } catch (error) {
      const isOver = noteFailure(pass, current, { error, isMoving, attempt });
      if (isOver) return;
    }
    const { name, namespace = "" } = namesOf(current);
    const next = await pass.client
      .get(pass.state.kind, { name, namespace }, { metadataOnly: true, signal: pass.signal })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
    if (next === undefined) {
      counts.deleted += 1;
      return;
    }
    current = next;
  }
}

// Returns whether nothing is left to do for the object.
function noteFailure(
  { counts }: RewritePass,
  listed: Listed,
  { error, isMoving, attempt }: { readonly error: unknown; readonly isMoving: boolean; readonly attempt: number },
): boolean {
  if (isNotFound(error)) {
    counts.deleted += 1;
    return true;
  }
  if (isConflict(error)) {
    // Whoever wrote it stored it in the storage version, but may have left the managed fields of an old one.
    if (isMoving && attempt < MOST_ATTEMPTS) return false;
    if (!isMoving) counts.writtenByOthers += 1;
    else counts.refused.push({ object: titleOf(listed), reason: "it is written too often to move its managed fields" });
    return true;
  }
  if (!isInvalid(error) && !isForbidden(error) && !isBadRequest(error)) throw error;
  counts.refused.push({ object: titleOf(listed), reason: messageOf(error) });
  return true;
}

async function write(pass: RewritePass, listed: Listed, isMoving: boolean): Promise<void> {
  const { client, limiter, signal, isDryRun, fieldOwner } = pass;
  if (isDryRun) return;
  const change = isMoving ? await fieldsPatch(pass, listed) : unchanged(listed);
  await limiter.wait(signal);
  await client.patch(reference(pass, listed), change, { fieldOwner, signal });
}

// A write without a change: the server stores it if its bytes differ, as those of another version do. The uid makes a recreated object a conflict.
// Source: kubernetes/pkg/controller/storageversionmigrator, which sends both, too.
function unchanged({ metadata: { uid, resourceVersion } }: Listed): Patch {
  return raw("application/merge-patch+json", { metadata: { uid, resourceVersion } });
}

async function fieldsPatch(pass: RewritePass, listed: Listed): Promise<Patch> {
  const { client, state, signal } = pass;
  const { name, namespace = "" } = namesOf(listed);
  const object = await client.get(state.kind, { name, namespace }, { signal });
  const { managedFields = [], resourceVersion, uid } = object.metadata;
  const entries = movedManagedFields({
    object,
    entries: managedFields,
    target: state.kind,
    isLeaving: (version) => isLeavingVersion(state, version),
  });
  // A server ignores an empty list, and takes one empty entry for none.
  const value = (entries.length === 0 ? [{}] : entries) as unknown as JSONValue;
  return json([
    { op: "replace", path: "/metadata/uid", value: uid },
    { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
    { op: "replace", path: "/metadata/managedFields", value },
  ]);
}

function hasOldFields({ state }: RewritePass, { metadata }: Listed): boolean {
  const entries = metadata.managedFields ?? [];
  return hasLeavingFields(entries, state.kind.group, (version) => isLeavingVersion(state, version));
}

/** Returns whether a version is higher than another; false for versions that are not numbers, which cannot be compared. */
function isAfter(version: string, other: string | undefined): boolean {
  if (other === undefined || !NUMBER.test(version) || !NUMBER.test(other)) return false;
  return version.length === other.length ? version > other : version.length > other.length;
}

const NUMBER = /^[1-9]\d*$/u;

function namesOf({ metadata }: Listed): { readonly name: string; readonly namespace?: string } {
  return metadata;
}

function titleOf(listed: Listed): string {
  const { name, namespace = "" } = namesOf(listed);
  return namespace === "" ? name : `${namespace}/${name}`;
}

function reference({ state }: RewritePass, listed: Listed): KubernetesObject {
  const { group, version, kind } = state.kind;
  const { name, namespace } = namesOf(listed);
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  };
}
