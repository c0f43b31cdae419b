import { Environment } from "@kubescaffold/envtest";
import { findCondition, ignoreNotFound, type RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace, Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { dependent } from "../../src/dependents/dependent.ts";
import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { Site, site, siteDefinition } from "./sample-owner.ts";

const TIMEOUT = { timeout: 20_000, interval: 20 };
const environment = new Environment({ crds: [siteDefinition()], startTimeoutMs: 120_000 });
const stops: (() => Promise<void>)[] = [];
let config: RestConfig;
let live: LiveClient;

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
}, 120_000);

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

afterAll(async () => {
  await environment.stop();
});

/** Records the writes of a manager: the method and the resource. */
async function createOperator(): Promise<{
  manager: Manager;
  writes: string[];
  logger: RecordingLogger;
  start: () => void;
}> {
  const writes: string[] = [];
  const logger = createRecordingLogger(0);
  const manager = await createManager(config, {
    logger,
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
  });
  const client = manager.getClient();
  const counting = Object.assign(Object.create(client) as typeof client, {
    apply: async (object: never, options: never) => {
      writes.push(`apply ${(object as ConfigMap).kind} ${(object as ConfigMap).metadata.name ?? ""}`);
      return await client.apply(object, options);
    },
    delete: async (object: never, options: never) => {
      writes.push(`delete ${(object as ConfigMap).kind} ${(object as ConfigMap).metadata.name ?? ""}`);
      await client.delete(object, options);
    },
    subResource: (name: string) => {
      writes.push(name);
      return client.subResource(name);
    },
  });
  const start = (): void => {
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    stops.push(async () => {
      stopping.abort();
      await running;
    });
  };
  return { manager: Object.assign(manager, { getClient: () => counting }), writes, logger, start };
}

async function readyOf(name: string): Promise<string | undefined> {
  const { status } = await live.get(Site, { namespace: "default", name });
  return findCondition(status?.conditions, "Ready")?.status;
}

describe("a controller with dependents", () => {
  it(
    "creates, restores, renames, and deletes dependents, and writes nothing in between",
    { timeout: 120_000 },
    async () => {
      const { manager, writes, logger, start } = await createOperator();
      await newControllerManagedBy(manager)
        .named("dependents-on-server")
        .for(Site)
        .dependents({
          secret: dependent(Secret, {
            dependsOn: ["config"],
            reconcileWhen: ({ spec }) => spec.replicas !== undefined,
            desired: (_, context) => ({
              stringData: { color: context.get(ConfigMap, "config")?.data?.["color"] ?? "" },
            }),
          }),
          config: dependent(ConfigMap, {
            desired: ({ spec }) => ({
              metadata: { name: spec.configName ?? "config" },
              data: { color: spec.color ?? "none" },
            }),
            ready: ({ metadata }) => metadata.labels?.["approved"] === "true",
          }),
        })
        .complete({ status: (_, { secret }) => ({ available: secret.state === "ready" ? 1 : 0 }) });
      start();
      const approve = async (name: string): Promise<void> => {
        const config = await live.get(ConfigMap, { namespace: "default", name });
        await live.update({ ...config, metadata: { ...config.metadata, labels: { approved: "true" } } });
      };
      const change = async (spec: Site["spec"]): Promise<void> => {
        await vi.waitFor(
          async () => await live.update({ ...(await live.get(Site, { namespace: "default", name: "one" })), spec }),
          TIMEOUT,
        );
      };
      const secret = async () => await ignoreNotFound(live.get(Secret, { namespace: "default", name: "one" }));

      await live.create(site("one"));
      await vi.waitFor(async () => expect(await readyOf("one")).toBe("False"), TIMEOUT);
      expect(await secret()).toBeUndefined();
      await approve("config");
      await vi.waitFor(async () => expect(await readyOf("one")).toBe("True"), TIMEOUT);
      expect((await live.get(Site, { namespace: "default", name: "one" })).status).toMatchObject({ available: 1 });
      expect(writes).toEqual(["apply ConfigMap config", "status", "apply Secret one", "status"]);

      writes.length = 0;
      const quiet = await live.get(Site, { namespace: "default", name: "one" });
      await live.update({ ...quiet, metadata: { ...quiet.metadata, labels: { touched: "true" } } });
      await live.delete((await secret()) as Secret);
      await vi.waitFor(async () => expect(await secret()).toBeDefined(), TIMEOUT);
      expect(writes).toEqual(["apply Secret one"]);

      await change({ color: "blue", replicas: 1, configName: "renamed" });
      await vi.waitFor(async () => expect(await readyOf("one")).toBe("False"), TIMEOUT);
      expect(await ignoreNotFound(live.get(ConfigMap, { namespace: "default", name: "config" }))).toBeDefined();
      await approve("renamed");
      await vi.waitFor(async () => expect(await readyOf("one")).toBe("True"), TIMEOUT);
      expect(await ignoreNotFound(live.get(ConfigMap, { namespace: "default", name: "config" }))).toBeUndefined();
      expect(atob((await secret())?.data?.["color"] ?? "")).toBe("blue");

      await change({ color: "blue", configName: "renamed" });
      await vi.waitFor(async () => expect(await secret()).toBeUndefined(), TIMEOUT);
      expect(writes.slice(1)).toEqual([
        "apply ConfigMap renamed",
        "status",
        "apply Secret one",
        "delete ConfigMap config",
        "status",
        "delete Secret one",
        "status",
      ]);
      expect(logger.records.filter(({ error }) => error !== undefined)).toEqual([]);

      await live.delete(await live.get(Site, { namespace: "default", name: "one" }));
      await vi.waitFor(
        async () =>
          expect(await ignoreNotFound(live.get(ConfigMap, { namespace: "default", name: "renamed" }))).toBeUndefined(),
        TIMEOUT,
      );
    },
  );

  it("is refused for a cluster-scoped dependent of a namespaced owner", async () => {
    const { manager } = await createOperator();
    const dependents = { space: dependent(Namespace, { desired: () => ({}) }) };
    const building = newControllerManagedBy(manager)
      .named("dependents-scopes")
      .for(Site)
      .dependents(dependents)
      .complete();
    await expect(building).rejects.toMatchObject({ code: "CONTROLLER_DEPENDENT_OBJECT" });
  });

  it("shares the indexes of its kinds with other controllers of the manager", async () => {
    const { manager } = await createOperator();
    const dependents = { config: dependent(ConfigMap, { desired: () => ({}) }) };
    const build = async (name: string) =>
      await newControllerManagedBy(manager).named(name).for(Site).dependents(dependents).build();
    await expect(Promise.all([build("dependents-first"), build("dependents-second")])).resolves.toHaveLength(2);
  });
});
