import { realClock } from "@kubescaffold/platform/clock";
import type { LiveClient, MigrationResult } from "@kubescaffold/runtime";

/** How fast objects are rewritten. */
export interface MigrationRate {
  readonly writesPerSecond: number;
  /** The time that API servers need to use a changed CRD. */
  readonly propagationMs: number;
}

/** The rate unless flags set another one. */
export const DEFAULT_RATE: MigrationRate = { writesPerSecond: 50, propagationMs: 30_000 };

/** Rewrites the objects of a CRD in its storage version. Fails: with an error of the API server. */
export async function migrateCrd({
  client,
  crd,
  rate,
  isDryRun,
  signal,
}: {
  readonly client: LiveClient;
  readonly crd: string;
  readonly rate: MigrationRate;
  /** Whether objects are only counted. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}): Promise<MigrationResult> {
  const { migrateDefinition, progressInMemory } = await import("@kubescaffold/runtime");
  return await migrateDefinition({
    client,
    crd,
    fieldOwner: "kubescaffold-storage-migration",
    progress: progressInMemory(),
    isDryRun,
    pageSize: 500,
    workers: 8,
    ...rate,
    clock: realClock,
    signal,
  });
}
