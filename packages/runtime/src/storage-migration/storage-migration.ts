import { checkNumbers, type GroupVersionKind, gvkToString } from "@kubescaffold/k8s";

import { StorageMigrationOptionsError } from "./errors.ts";
import type { MigrationPace } from "./migrate-definition.ts";

/** Options of {@link storageMigration}. */
export interface StorageMigrationOptions extends Partial<MigrationPace> {
  /** The kinds, each in the version in which its objects are to be stored. */
  readonly kinds: readonly GroupVersionKind[];
  /** The name of the ConfigMap that keeps how far migrations are. Default: `kubescaffold-storage-migration`. */
  readonly configMapName?: string;
  /** The namespace of the ConfigMap. Default: that of the pod; outside of pods, progress is kept in the process. */
  readonly namespace?: string;
  /** The field manager of the writes, which owns no field. Default: `kubescaffold-storage-migration`. */
  readonly fieldOwner?: string;
  /** The interval between checks of the CRDs, in milliseconds. Default: 60000 (a minute). */
  readonly checkIntervalMs?: number;
}

/** The storage migration of a manager, which {@link storageMigration} returns. */
export interface StorageMigration
  extends MigrationPace, Readonly<Required<Omit<StorageMigrationOptions, keyof MigrationPace | "namespace">>> {
  /** The namespace of the ConfigMap; undefined is the namespace of the pod. */
  readonly namespace: string | undefined;
}

/** The pace of migrations, unless options change it. */
const DEFAULT_PACE: MigrationPace = {
  pageSize: 500,
  workers: 8,
  writesPerSecond: 50,
  propagationMs: 30_000,
};

const NAME = "kubescaffold-storage-migration";

/**
 * Lets the leader of a manager migrate the objects of kinds to their storage version, so that a CRD can drop former versions.
 *
 * When `status.storedVersions` of a CRD lists other versions than its storage version, the leader waits until that is the version of the kind here, and until all Pods
 * that serve conversions are of one revision. It then rewrites all objects, and removes the other versions from the status.
 *
 * Guarantees: a write of another client is not overwritten; a leader that stops is continued by the next one; failures are logged and retried, and never stop
 * the manager.
 *
 * Fails: {@link StorageMigrationOptionsError}, `NumericOptionError`.
 *
 * @example
 * const manager = await createManager(config, {
 *   leaderElection: true,
 *   leaderElectionId: "guestbook.example.com",
 *   storageMigration: storageMigration({ kinds: [Guestbook] }),
 * });
 */
export function storageMigration(options: StorageMigrationOptions): StorageMigration {
  checkNumbers("the storage migration", options, {
    pageSize: "size",
    workers: "size",
    writesPerSecond: "interval",
    propagationMs: "duration",
    checkIntervalMs: "interval",
  });
  const { kinds, namespace, configMapName = NAME, fieldOwner = NAME, checkIntervalMs = 60_000 } = options;
  checkKinds(kinds);
  const { pageSize, workers, writesPerSecond, propagationMs } = { ...DEFAULT_PACE, ...options };
  return {
    kinds,
    namespace,
    configMapName,
    fieldOwner,
    checkIntervalMs,
    pageSize,
    workers,
    writesPerSecond,
    propagationMs,
  };
}

function checkKinds(kinds: readonly GroupVersionKind[]): void {
  if (!Array.isArray(kinds) || kinds.length === 0) throw new StorageMigrationOptionsError("kinds is empty");
  const seen = new Set<string>();
  for (const { group, kind, version } of kinds) {
    const name = `${kind}.${group}`;
    if (seen.has(name)) {
      throw new StorageMigrationOptionsError(`${gvkToString({ group, version, kind })} is another version of a kind`);
    }
    seen.add(name);
  }
}
