import { handledLater } from "@kubescaffold/platform";
import { describe, expect, it, vi } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { StorageMigrationOptionsError } from "../../src/storage-migration/errors.ts";
import { storageMigration } from "../../src/storage-migration/storage-migration.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";
import { serverForTests } from "../support/server-for-tests.ts";
import { StoredKind } from "./kinds-on-server.ts";

const server = serverForTests();
const TEST = { timeout: 60_000 };
const WAIT = { timeout: 30_000, interval: 50 };

interface Replica {
  readonly stop: () => Promise<void>;
  readonly messages: () => readonly string[];
  readonly metric: (name: string) => Promise<number | undefined>;
}

/** Starts a manager that migrates a kind. */
async function start(
  kind: StoredKind,
  { version = "v1", id = "", onPatch = (): void => undefined, status = 0 } = {},
): Promise<Replica> {
  const logger = createRecordingLogger();
  const registry = createMetricsRegistry();
  const config = interceptedConfig(server.config, async (request, send) => {
    if (request.method !== "PATCH") return await send(request);
    const { pathname } = new URL(request.url);
    if (status !== 0 && pathname.includes("/things/")) {
      return Response.json({ kind: "Status", status: "Failure", code: status, reason: "Forbidden" }, { status });
    }
    if (pathname.includes("/things/")) onPatch();
    return await send(request);
  });
  const manager = await createManager(config, {
    logger,
    metrics: { bindAddress: "0", registry },
    leaderElection: id !== "",
    leaderElectionId: id,
    leaderElectionNamespace: kind.namespace,
    leaderElectionReleaseOnCancel: true,
    retryPeriodMs: 100,
    storageMigration: storageMigration({
      kinds: [kind.gvk(version)],
      namespace: kind.namespace,
      propagationMs: 10,
      checkIntervalMs: 100,
      pageSize: 20,
      writesPerSecond: 2000,
    }),
  });
  const stopping = new AbortController();
  const running = handledLater(manager.start(stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
    messages: () => logger.records.map(({ message }) => message),
    metric: async (name) => {
      const found = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
      return found?.values.find(({ labels }) => labels["crd"] === kind.crd)?.value;
    },
  };
}

async function install(): Promise<StoredKind> {
  return await new StoredKind(server.on.live, server.on.namespace).install();
}

describe("the storage migration of a manager", () => {
  it("runs when the storage version is that of its kinds, and reports it", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 50);
    const replica = await start(kind);
    await vi.waitFor(() => expect(replica.messages()).toContain("waiting with the storage migration"), WAIT);
    await kind.change("v1");
    await vi.waitFor(async () => expect(await kind.storedVersions()).toEqual(["v1"]), WAIT);
    await vi.waitFor(() => expect(replica.messages()).toContain("all objects are stored in the storage version"), WAIT);
    expect(await replica.metric("kubescaffold_storage_migration_pending")).toBe(0);
    expect(await replica.metric("kubescaffold_storage_migration_objects_total")).toBe(50);
    await replica.stop();
    expect(await kind.storedOtherwise("v1")).toEqual([]);
  });

  it("an older program does not migrate to the version of a newer one", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 5);
    await kind.change("v1");
    const replica = await start(kind, { version: "v1alpha1" });
    await vi.waitFor(() => expect(replica.messages()).toContain("waiting with the storage migration"), WAIT);
    await replica.stop();
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
    expect(await kind.storedOtherwise("v1")).toHaveLength(5);
  });

  it("only the leader writes, and the next one continues", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 200);
    await kind.change("v1");
    const patches = { first: 0, second: 0 };
    let onHalf = (): void => undefined;
    const half = new Promise<void>((resolve) => {
      onHalf = resolve;
    });
    const id = "migrating.demo";
    const first = await start(kind, {
      id,
      onPatch: () => {
        patches.first += 1;
        if (patches.first === 80) onHalf();
      },
    });
    await half;
    const second = await start(kind, { id, onPatch: () => (patches.second += 1) });
    expect(patches.second).toBe(0);
    await first.stop();
    await vi.waitFor(async () => expect(await kind.storedVersions()).toEqual(["v1"]), WAIT);
    await second.stop();
    // The first one may have been interrupted in each of its eight writes.
    expect(patches.first + patches.second).toBeLessThanOrEqual(208);
    expect(await kind.storedOtherwise("v1")).toEqual([]);
  });

  it("logs what fails, counts it, and leaves the manager running", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 3);
    await kind.change("v1");
    const replica = await start(kind, { status: 403 });
    await vi.waitFor(
      async () => expect(await replica.metric("kubescaffold_storage_migration_errors_total")).toBeGreaterThan(1),
      WAIT,
    );
    expect(replica.messages()).toContain("cannot migrate the stored objects");
    expect(await replica.metric("kubescaffold_storage_migration_pending")).toBe(1);
    await replica.stop();
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
  });
});

describe("storageMigration", () => {
  it("refuses no kinds, one kind twice, and numbers that are no pace", () => {
    const kind = { group: "demo", version: "v1", kind: "Thing" };
    expect(() => storageMigration({ kinds: [] })).toThrow(StorageMigrationOptionsError);
    expect(() => storageMigration({ kinds: [kind, { ...kind, version: "v2" }] })).toThrow("another version");
    expect(() => storageMigration({ kinds: [kind], pageSize: 0 })).toThrow("pageSize");
    expect(() => storageMigration({ kinds: [kind], writesPerSecond: Number.NaN })).toThrow("writesPerSecond");
  });
});
