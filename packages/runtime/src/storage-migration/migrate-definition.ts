import { isConflict, isNotFound } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { type Clock, sleep } from "@kubescaffold/platform/clock";

import type { LiveClient } from "../client/client.ts";
import { raw } from "../client/patch.ts";
import { TokenBucketRateLimiter } from "../wait/token-bucket.ts";
import { olderReplicas } from "./conversion-replicas.ts";
import { type DefinitionState, definitionState, hasOldVersions } from "./definition-state.ts";
import { StorageMigrationChangedError } from "./errors.ts";
import type { MigrationProgress, MigrationRecord } from "./migration-progress.ts";
import { currentVersion, noCounts, type RewriteCounts, rewriteObjects, type RewritePass } from "./rewrite-objects.ts";

/** How fast objects are rewritten, and how long API servers may take. */
export interface MigrationPace {
  /** The number of objects that are listed at once. */
  readonly pageSize: number;
  /** The number of writes at once. */
  readonly workers: number;
  /** The largest number of writes per second, on average. */
  readonly writesPerSecond: number;
  /** How long API servers may take to use a changed CRD, in milliseconds. */
  readonly propagationMs: number;
}

/** A migration of the objects of a CRD. */
export interface DefinitionMigration extends MigrationPace {
  /** The client of the cluster. */
  readonly client: LiveClient;
  /** The name of the CRD. */
  readonly crd: string;
  /** The version that must be the storage version; any unless given. */
  readonly expectedVersion?: string | undefined;
  /** The field manager of the writes. */
  readonly fieldOwner: string;
  /** Keeps the checkpoint, from which an interrupted migration continues. */
  readonly progress: MigrationProgress;
  /** Whether nothing is written. */
  readonly isDryRun: boolean;
  /** The clock of the waits. */
  readonly clock: Clock;
  /** Stops the migration. */
  readonly signal: AbortSignal;
  /** Called after each page. */
  readonly onPage?: (counts: RewriteCounts) => void;
}

/** The outcome of a migration. */
export interface MigrationResult {
  /**
   * `current`: nothing was to be done; `migrated`: all objects are stored in the storage version, and the CRD lists it alone; `waiting`: the migration cannot start
   * or end yet, see `reason`; `refused`: the API server refused objects; `planned`: a dry run.
   */
  readonly outcome: "current" | "migrated" | "waiting" | "refused" | "planned";
  /** Why the migration waits; empty otherwise. */
  readonly reason: string;
  /** The CRD as it was read; undefined if it does not exist, or serves no version. */
  readonly state: DefinitionState | undefined;
  /** The objects by what happened to them. */
  readonly counts: RewriteCounts;
}

// Each attempt rewrites what was written since the former one; a CRD that changes more often has another problem.
const MOST_ATTEMPTS = 10;

/**
 * Rewrites all objects of a CRD in its storage version, and then removes the other versions from `status.storedVersions`.
 *
 * Guarantees: whatever else writes the objects and the CRD, a version is removed from the status only if no object is stored in it: the status is written on the version
 * of the CRD whose storage version did not change while all objects were rewritten. An interrupted migration continues by its progress.
 * Fails: {@link StorageMigrationChangedError}, or with an error of the API server; the migration can be repeated.
 */
export async function migrateDefinition(migration: DefinitionMigration): Promise<MigrationResult> {
  const counts = noCounts();
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const result = await attemptMigration(migration, counts);
    if (result !== undefined) return result;
  }
  throw new StorageMigrationChangedError(migration.crd);
}

// Returns undefined if the CRD was changed.
async function attemptMigration(
  migration: DefinitionMigration,
  counts: RewriteCounts,
): Promise<MigrationResult | undefined> {
  const { client, crd, expectedVersion, progress, signal, isDryRun } = migration;
  const state = await readState(client, crd, signal);
  const waiting = (reason: string): MigrationResult => ({ outcome: "waiting", reason, state, counts });
  if (state === undefined) return waiting(`the CRD ${crd} does not exist, or serves no version`);
  if (expectedVersion !== undefined && state.storageVersion !== expectedVersion) {
    return waiting(`${crd} is stored in ${state.storageVersion}, and this program was built for ${expectedVersion}`);
  }
  const known = isDryRun ? undefined : await progress.read(state, signal);
  if (!isNeeded(state, known)) return { outcome: "current", reason: "", state, counts };
  if (isDryRun) {
    await rewriteObjects(passOf(migration, { state, counts, checkpoint: undefined }));
    return {
      outcome: "planned",
      reason: (await olderReplicas(client, state.conversionService, signal)) ?? "",
      state,
      counts,
    };
  }
  const record = known?.isComplete === true && !hasOldVersions(state) ? undefined : known;
  const begun = record ?? (await begin(migration, state));
  if (begun === undefined) return undefined;
  const older = await olderReplicas(client, state.conversionService, signal);
  if (older !== undefined) return waiting(older);
  await rewriteObjects(passOf(migration, { state, counts, checkpoint: begun.checkpoint }));
  if (counts.refused.length > 0) return { outcome: "refused", reason: "", state, counts };
  return await finish(migration, { state, record: begun, counts });
}

function isNeeded(state: DefinitionState, record: MigrationRecord | undefined): boolean {
  if (hasOldVersions(state)) return true;
  return state.unservedVersions.length > 0 && record?.isComplete !== true;
}

// Objects that are written before all API servers use the CRD may be stored in the former version.
async function begin(
  { client, crd, clock, propagationMs, progress, signal }: DefinitionMigration,
  state: DefinitionState,
): Promise<MigrationRecord | undefined> {
  if (propagationMs > 0) await sleep(clock, propagationMs, signal);
  const checkpoint = await currentVersion(client, state, signal);
  // Read afterwards, so that the storage version is known to be that of the checkpoint.
  const after = await readState(client, crd, signal);
  if (after?.uid !== state.uid || after.generation !== state.generation) return undefined;
  const record = { uid: state.uid, generation: state.generation, checkpoint: checkpoint ?? "", isComplete: false };
  await progress.write(crd, record, signal);
  return record;
}

interface Finishing {
  readonly state: DefinitionState;
  readonly record: MigrationRecord;
  readonly counts: RewriteCounts;
}

async function finish(
  { client, crd, progress, signal }: DefinitionMigration,
  { state, record, counts }: Finishing,
): Promise<MigrationResult | undefined> {
  for (;;) {
    const current = await readState(client, crd, signal);
    if (current?.uid !== state.uid || current.generation !== state.generation) return undefined;
    // An older replica that came back meanwhile may have converted with fewer fields, but nothing that is listed here.
    const older = await olderReplicas(client, current.conversionService, signal);
    if (older !== undefined) return { outcome: "waiting", reason: older, state: current, counts };
    if (hasOldVersions(current) && !(await dropOldVersions(client, current, signal))) continue;
    await progress.write(crd, { ...record, isComplete: true }, signal);
    return { outcome: "migrated", reason: "", state, counts };
  }
}

// Returns false if the CRD was changed since it was read.
async function dropOldVersions(client: LiveClient, state: DefinitionState, signal: AbortSignal): Promise<boolean> {
  const { name, resourceVersion, storageVersion } = state;
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name } };
  const change = { metadata: { resourceVersion }, status: { storedVersions: [storageVersion] } };
  try {
    await client.status().patch(definition, raw("application/merge-patch+json", change), { signal });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

async function readState(client: LiveClient, crd: string, signal: AbortSignal): Promise<DefinitionState | undefined> {
  try {
    return definitionState(await client.get(CustomResourceDefinition, { name: crd }, { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function passOf(
  migration: DefinitionMigration,
  parts: Pick<RewritePass, "checkpoint" | "counts" | "state">,
): RewritePass {
  const { client, clock, pageSize, workers, writesPerSecond, fieldOwner, isDryRun, signal, onPage } = migration;
  const limiter = new TokenBucketRateLimiter({ qps: writesPerSecond, burst: Math.max(1, workers) }, clock);
  const base = { client, limiter, pageSize, workers, fieldOwner, isDryRun, signal, ...parts };
  return onPage === undefined ? base : { ...base, onPage };
}
