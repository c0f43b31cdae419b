import type { GroupVersionKind } from "@kubescaffold/k8s";
import { type Clock, sleep } from "@kubescaffold/platform/clock";

import type { LiveClient } from "../client/client.ts";
import type { Logger } from "../log/logger.ts";
import { storageMigrationMetrics } from "../metrics/controller-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { StorageMigrationRefusedError } from "./errors.ts";
import { migrateDefinition, type MigrationResult } from "./migrate-definition.ts";
import { type MigrationProgress, progressInConfigMap, progressInMemory } from "./migration-progress.ts";
import type { StorageMigration } from "./storage-migration.ts";

/** Options of {@link StorageMigrator}. */
export interface StorageMigratorParts {
  readonly settings: StorageMigration;
  /** The namespace of the ConfigMap; undefined keeps progress in the process. */
  readonly namespace: string | undefined;
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: MetricsRegistry;
}

const SHORTEST_RETRY_MS = 1000;

/** Migrates the kinds of a manager to their storage versions; a runnable of the leader. */
export class StorageMigrator {
  readonly runnableName = "storage migration";
  readonly #parts: StorageMigratorParts;
  readonly #log: Logger;
  readonly #progress: MigrationProgress;
  // The last reason of each CRD, so that each is logged once.
  readonly #reasons = new Map<string, string>();

  constructor(parts: StorageMigratorParts) {
    const { settings, namespace, client } = parts;
    this.#parts = parts;
    this.#log = parts.log.withName("storage-migration");
    const name = settings.configMapName;
    this.#progress = namespace === undefined ? progressInMemory() : progressInConfigMap(client, { name, namespace });
  }

  /** Migrates until the signal aborts: at the start, and then periodically. */
  async start(signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#parts;
    for (let failures = 0; !signal.aborted;) {
      let hasFailed = false;
      for (const kind of settings.kinds) {
        if (!(await this.#migrate(kind, signal))) hasFailed = true;
        if (signal.aborted) return;
      }
      failures = hasFailed ? failures + 1 : 0;
      const retryMs = SHORTEST_RETRY_MS * 2 ** Math.min(failures - 1, 20);
      const delayMs = hasFailed ? Math.min(retryMs, settings.checkIntervalMs) : settings.checkIntervalMs;
      await sleep(clock, delayMs, signal).catch(() => undefined);
    }
  }

  // Returns whether the attempt had no failure.
  async #migrate(kind: GroupVersionKind, signal: AbortSignal): Promise<boolean> {
    const { client, clock, settings, registry } = this.#parts;
    const metrics = storageMigrationMetrics(registry);
    let crd = `${kind.kind}.${kind.group}`;
    let counted = 0;
    try {
      const { gvr } = await client.restMapper.restMapping(kind);
      crd = `${gvr.resource}.${gvr.group}`;
      const result = await migrateDefinition({
        ...settings,
        client,
        crd,
        expectedVersion: kind.version,
        progress: this.#progress,
        isDryRun: false,
        clock,
        signal,
        onPage: ({ listed, rewritten }) => {
          metrics.objects.inc({ crd }, Math.max(0, rewritten - counted));
          counted = rewritten;
          this.#log.debug("rewrote a page of objects", { crd, listed, rewritten });
        },
      });
      this.#report(crd, result);
      metrics.pending.set({ crd }, result.outcome === "current" || result.outcome === "migrated" ? 0 : 1);
      if (result.outcome === "refused") throw new StorageMigrationRefusedError(crd, result.counts.refused);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      metrics.errors.inc({ crd });
      this.#log.error(error, "cannot migrate the stored objects", { crd });
      return false;
    }
  }

  #report(crd: string, { outcome, reason, state, counts }: MigrationResult): void {
    if (outcome === "waiting") {
      if (this.#reasons.get(crd) !== reason) this.#log.info("waiting with the storage migration", { crd, reason });
      this.#reasons.set(crd, reason);
      return;
    }
    this.#reasons.delete(crd);
    if (outcome !== "migrated") return;
    const { listed, rewritten, writtenByOthers, deleted, fieldsMoved } = counts;
    const version = state?.storageVersion;
    const numbers = { listed, rewritten, writtenByOthers, deleted, fieldsMoved };
    this.#log.info("all objects are stored in the storage version", { crd, version, ...numbers });
  }
}
