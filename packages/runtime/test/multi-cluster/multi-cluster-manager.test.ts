import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { whenAborted } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { funcs } from "../../src/handler/handler.ts";
import { createClusterList } from "../../src/multi-cluster/cluster-list.ts";
import { type ClusterProvider, LOCAL_CLUSTER } from "../../src/multi-cluster/cluster-provider.ts";
import type { ClusterRequest } from "../../src/multi-cluster/cluster-request.ts";
import { ClusterNameTakenError, ClusterNotEngagedError } from "../../src/multi-cluster/errors.ts";
import { newMultiClusterControllerManagedBy } from "../../src/multi-cluster/multi-cluster-builder.ts";
import { createConfigMap, type Server, Servers } from "./servers.ts";

const servers = new Servers();
let hub: Server;
let one: Server;
let two: Server;
let named = 0;

beforeAll(async () => {
  [hub, one, two] = await Promise.all([servers.start(), servers.start(), servers.start()]);
});

afterAll(async () => {
  await servers.stop();
});

const uniqueName = (): string => `multi-cluster-${String((named += 1))}`;
const keysOf = (requests: readonly ClusterRequest[], prefix: string): readonly string[] =>
  [
    ...new Set(
      requests.filter(({ name }) => name.startsWith(prefix)).map(({ clusterName, name }) => `${clusterName}/${name}`),
    ),
  ].toSorted();

describe("a multi-cluster manager", () => {
  it("reconciles the objects of all engaged clusters, with the cluster's name", async () => {
    const list = createClusterList({ one: one.config, two: two.config });
    const running = await servers.manager(hub, { providers: [list] });
    const requests: ClusterRequest[] = [];
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .named(uniqueName())
      .complete(async (request) => {
        requests.push(request);
        const { clusterName, ...key } = request;
        if (key.name.startsWith("all-")) {
          await running.clusters.getCluster(clusterName).getClient().get(ConfigMap, key);
        }
      });
    running.start();
    await createConfigMap(one.client, "all-1");
    await createConfigMap(two.client, "all-2");
    await createConfigMap(hub.client, "all-hub");
    await vi.waitFor(() => expect(keysOf(requests, "all-")).toEqual(["one/all-1", "two/all-2"]));
    expect(running.clusters.getClusterNames()).toEqual(["one", "two"]);
    expect(await running.stop()).toBeUndefined();
  });

  it("engages and disengages clusters while it runs", async () => {
    const list = createClusterList({ one: one.config });
    const running = await servers.manager(hub, { providers: [list] });
    const requests: ClusterRequest[] = [];
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .named(uniqueName())
      .complete(async (request) => void requests.push(request));
    running.start();
    await createConfigMap(one.client, "later-1");
    await createConfigMap(two.client, "later-2");
    await vi.waitFor(() => expect(keysOf(requests, "later-")).toEqual(["one/later-1"]));
    await list.set("two", two.config);
    await vi.waitFor(() => expect(keysOf(requests, "later-")).toEqual(["one/later-1", "two/later-2"]));

    const cluster = running.clusters.getCluster("two");
    await list.delete("two");
    expect(running.clusters.getClusterNames()).toEqual(["one"]);
    expect(() => running.clusters.getCluster("two")).toThrow(ClusterNotEngagedError);
    await expect(cluster.getApiReader().list(ConfigMap)).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
    requests.length = 0;
    await createConfigMap(two.client, "later-3");
    await createConfigMap(one.client, "later-4");
    await vi.waitFor(() => expect(keysOf(requests, "later-")).toEqual(["one/later-4"]));

    await list.set("two", two.config);
    await vi.waitFor(() => expect(keysOf(requests, "later-")).toEqual(["one/later-4", "two/later-2", "two/later-3"]));
    await running.stop();
  });

  it("engages the local cluster if the options say so, and filters clusters per controller", async () => {
    const list = createClusterList({ one: one.config });
    const running = await servers.manager(hub, { providers: [list], engageLocalCluster: true });
    const [all, local]: [ClusterRequest[], ClusterRequest[]] = [[], []];
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .named(uniqueName())
      .complete(async (request) => void all.push(request));
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .withClusterFilter((name) => name === LOCAL_CLUSTER)
      .named(uniqueName())
      .complete(async (request) => void local.push(request));
    running.start();
    await createConfigMap(one.client, "local-1");
    await createConfigMap(hub.client, "local-2");
    await vi.waitFor(() => expect(keysOf(all, "local-")).toEqual(["/local-2", "one/local-1"]));
    await vi.waitFor(() => expect(keysOf(local, "local-")).toEqual(["/local-2"]));
    await running.stop();
  });

  it("reconciles owners in the cluster of the owned object, and requests of handlers in the cluster that they name", async () => {
    const list = createClusterList({ one: one.config, two: two.config });
    const running = await servers.manager(hub, { providers: [list], engageLocalCluster: true });
    const [owners, routed]: [ClusterRequest[], ClusterRequest[]] = [[], []];
    const owner = await two.client.create(ConfigMap.create({ metadata: { namespace: "default", name: "owner" } }));
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap, {
        predicates: [{ create: () => false, update: () => false, delete: () => false, generic: () => false }],
      })
      .owns(ConfigMap)
      .named(uniqueName())
      .complete(async (request) => void owners.push(request));
    await newMultiClusterControllerManagedBy(running.clusters)
      .watches(ConfigMap, (clusterName) =>
        funcs<ConfigMap, ClusterRequest>({
          create: ({ object }, { queue }) => {
            const { name } = object.metadata;
            if (clusterName !== LOCAL_CLUSTER || name !== "template") return;
            for (const target of ["one", "two", "gone"]) queue.add({ clusterName: target, namespace: "default", name });
          },
        }),
      )
      .named(uniqueName())
      .complete(async (request) => void routed.push(request));
    running.start();
    await vi.waitFor(() => expect(running.clusters.getClusterNames()).toHaveLength(3));
    const reference = {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "owner",
      uid: owner.metadata.uid ?? "",
      controller: true,
    };
    await two.client.create(
      ConfigMap.create({ metadata: { namespace: "default", name: "owned", ownerReferences: [reference] } }),
    );
    await vi.waitFor(() => expect(owners).toContainEqual({ clusterName: "two", namespace: "default", name: "owner" }));
    // Requests for a cluster are dropped until its queue exists.
    await vi.waitFor(
      async () => {
        await hub.client
          .delete(ConfigMap.create({ metadata: { namespace: "default", name: "template" } }))
          .catch(() => undefined);
        await createConfigMap(hub.client, "template");
        expect(keysOf(routed, "template")).toEqual(["one/template", "two/template"]);
      },
      { timeout: 10_000, interval: 100 },
    );
    await running.stop();
  });

  it("runs existing reconcilers in all clusters", async () => {
    const list = createClusterList({ one: one.config, two: two.config });
    const running = await servers.manager(hub, { providers: [list] });
    const found: string[] = [];
    running.clusters.forEachCluster(async ({ name, manager }) => {
      const client = manager.getClient();
      await newControllerManagedBy(manager)
        .for(ConfigMap)
        .named("multi-cluster-existing")
        .complete(async (key) => {
          if (!key.name.startsWith("existing-")) return;
          found.push(`${name}/${(await client.get(ConfigMap, key)).metadata.name ?? ""}`);
        });
    });
    running.start();
    await createConfigMap(one.client, "existing-1");
    await createConfigMap(two.client, "existing-2");
    await vi.waitFor(() => expect([...new Set(found)].toSorted()).toEqual(["one/existing-1", "two/existing-2"]));
    await running.stop();
  });

  it("rejects names that are taken, and errors of a builder before a cluster is engaged", async () => {
    const running = await servers.manager(hub);
    running.clusters.engage("one", one.config);
    expect(() => running.clusters.engage("one", two.config)).toThrow(ClusterNameTakenError);
    expect(() => running.clusters.engage("", two.config)).toThrow(ClusterNameTakenError);
    const builder = newMultiClusterControllerManagedBy(running.clusters).named("multi-cluster-nothing");
    await expect(builder.complete(async () => undefined)).rejects.toMatchObject({ code: "CONTROLLER_BUILDER_MISUSE" });
    await running.stop();
  });
});

describe("guarantee 17: a disengaged cluster", () => {
  it("guarantee 17: aborts reconciles in progress, drops queued requests, and starts a successor after the last reconcile", async () => {
    const list = createClusterList({ one: one.config });
    const running = await servers.manager(hub, { providers: [list] });
    const started: string[] = [];
    const log: string[] = [];
    let release = (): void => undefined;
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .named(uniqueName())
      .complete(async ({ name }, { signal }) => {
        if (!name.startsWith("slow-")) return;
        started.push(name);
        log.push("start");
        if (started.length > 1) return;
        await whenAborted(signal);
        log.push("aborted");
        await new Promise<void>((resolve) => (release = resolve));
        log.push("end");
      });
    running.start();
    await createConfigMap(one.client, "slow-1");
    await createConfigMap(one.client, "slow-2");
    await vi.waitFor(() => expect(started).toHaveLength(1));
    const replaced = list.set("one", one.config);
    await vi.waitFor(() => expect(log).toEqual(["start", "aborted"]));
    expect(running.clusters.getClusterNames()).toEqual([]);
    release();
    await replaced;
    await vi.waitFor(() => expect(started).toHaveLength(3));
    expect(log).toEqual(["start", "aborted", "end", "start", "start"]);
    await running.stop();
  });

  it("guarantee 17: closes its connections if its reconciles do not end in time", async () => {
    const list = createClusterList({ one: one.config });
    const running = await servers.manager(hub, { providers: [list], disengageTimeoutMs: 50 });
    let code: unknown;
    let disengaged = (): void => undefined;
    const afterwards = new Promise<void>((resolve) => (disengaged = resolve));
    let isStarted = false;
    await newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .named(uniqueName())
      .complete(async ({ clusterName }) => {
        if (isStarted) return;
        const client = running.clusters.getCluster(clusterName).getClient();
        isStarted = true;
        await afterwards;
        const late = ConfigMap.create({ metadata: { namespace: "default", name: "too-late" } });
        code = await client
          .create(late, { signal: new AbortController().signal })
          .catch((error: unknown) => (error as { code: unknown }).code);
      });
    running.start();
    await vi.waitFor(() => expect(isStarted).toBe(true));
    await list.delete("one");
    disengaged();
    await vi.waitFor(() => expect(code).toBe("CLIENT_CLOSED"));
    await running.stop();
  });

  it("guarantee 17: ends readers that wait for its cache", async () => {
    const running = await servers.manager(hub);
    const unreachable = { server: "https://127.0.0.1:1" };
    running.clusters.engage("away", unreachable);
    running.start();
    await running.manager.elected;
    const reading = running.clusters.getCluster("away").getClient().list(ConfigMap);
    const failed = reading.then(
      () => "listed",
      () => "failed",
    );
    await running.clusters.disengage("away");
    expect(await failed).toBe("failed");
    await running.stop();
  });
});

it("guarantee 16: a cluster that cannot be reached delays no other, and is watched as soon as it can be", async () => {
  const listener = await one.environment.cluster.listen();
  const { port } = new URL(listener.config.server);
  await listener.close();
  const list = createClusterList({ away: listener.config, two: two.config });
  const running = await servers.manager(hub, { providers: [list] });
  const requests: ClusterRequest[] = [];
  await newMultiClusterControllerManagedBy(running.clusters)
    .for(ConfigMap)
    .named(uniqueName())
    .withOptions({ cacheSyncTimeoutMs: 200 })
    .complete(async (request) => void requests.push(request));
  running.start();
  await createConfigMap(two.client, "near-1");
  await createConfigMap(one.client, "away-1");
  await vi.waitFor(() => expect(keysOf(requests, "near-")).toEqual(["two/near-1"]));
  await vi.waitFor(() =>
    expect(running.logger.records.filter(({ severity }) => severity === "error").length).toBeGreaterThan(0),
  );
  const again = await one.environment.cluster.listen({ port: Number(port) });
  await vi.waitFor(() => expect(keysOf(requests, "away-")).toEqual(["away/away-1"]), {
    timeout: 30_000,
    interval: 100,
  });
  expect(await running.stop()).toBeUndefined();
  await again.close();
}, 60_000);

it("a programming error in the set-up of a cluster stops the manager", async () => {
  const running = await servers.manager(hub);
  running.clusters.engage("one", one.config);
  running.clusters.forEachCluster(() => {
    throw new TypeError("no such method");
  });
  running.start();
  await vi.waitFor(() => expect(running.logger.records.length).toBeGreaterThan(0));
  await expect(running.manager.elected).resolves.toBeUndefined();
  expect(await running.stop()).toMatchObject({ message: "no such method" });
});

it.each([
  [
    "throws",
    () => {
      throw new Error("no clusters");
    },
  ],
  ["rejects", async () => await Promise.reject(new Error("no clusters"))],
] as const)("a provider that %s stops the manager", async (_, start: ClusterProvider["start"]) => {
  const running = await servers.manager(hub, { providers: [{ start }] });
  running.start();
  await vi.waitFor(() => expect(running.logger.records.map(({ message }) => message).join()).toContain("stopping"));
  expect(await running.stop()).toMatchObject({ message: "no clusters" });
});
