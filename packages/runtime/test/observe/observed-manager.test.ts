import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Observation } from "../../src/observe/observer.ts";
import type { ReconcileFunction } from "../../src/reconcile/reconcile.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";

const environment = new Environment({ backend: "embedded" });
let config: RestConfig;

beforeAll(async () => {
  config = await environment.start();
});

afterAll(async () => {
  await environment.stop();
});

async function observed(
  name: string,
  reconcile: (client: Client) => ReconcileFunction,
): Promise<readonly Observation[]> {
  const observations: Observation[] = [];
  const manager = await createManager(config, {
    observer: { observe: (each) => void observations.push(each) },
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    logger: silentLogger,
    cache: { byObject: [{ kind: ConfigMap, fieldSelector: `metadata.name=${name}` }] },
  });
  await newControllerManagedBy(manager).for(ConfigMap).complete(reconcile(manager.getClient()));
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await createClient(config).create(ConfigMap.create({ metadata: { namespace: "default", name } }));
  await vi.waitFor(() => {
    if (!observations.some(({ kind }) => kind === "reconcile-ended")) throw new Error("no reconcile has ended");
    if (!observations.some((each) => each.kind === "cache" && each.isSynced)) throw new Error("no cache has synced");
  }, 10_000);
  stop.abort();
  await running;
  return observations;
}

it("observes the requests of a reconcile with its ID, and how they ended", async () => {
  let reconcileId = "";
  const observations = await observed("requests", (client) => async ({ namespace }, context) => {
    if (reconcileId !== "") return;
    ({ reconcileId } = context);
    const secret = Secret.create({ metadata: { namespace, generateName: "made-" }, stringData: { key: "hunter2" } });
    const created = await client.create(secret);
    await client.update({ ...created, stringData: { key: "hunter3" } });
    await client.update(secret).catch(() => undefined);
    await client.update({ ...created, metadata: { ...created.metadata, resourceVersion: "1" } }).catch(() => undefined);
    await client.deleteAllOf(Secret, { namespace, labelSelector: "none=at-all" });
    await client.delete(created);
  });
  const requests = observations.filter((each) => each.kind === "request" && each.reconcileId === reconcileId);
  const madeName = expect.stringMatching(/^made-/u) as string;
  const version = expect.stringMatching(/^\d+$/u) as string;
  expect(requests).toMatchObject([
    {
      verb: "create",
      group: "",
      version: "v1",
      resource: "secrets",
      name: madeName,
      status: 201,
      resourceVersion: version,
    },
    {
      verb: "update",
      resource: "secrets",
      namespace: "default",
      name: madeName,
      status: 200,
      resourceVersion: version,
    },
    { verb: "update", name: madeName, status: 409 },
    { verb: "deletecollection", name: "", status: 200 },
    { verb: "delete", name: madeName, status: 200 },
  ]);
  expect(JSON.stringify(observations)).not.toMatch(/hunter|aHVudGVy/u);
});

it("observes the requests of caches, with the verbs that a role must permit for them", async () => {
  const observations = await observed("outside", () => async () => undefined);
  const requests = observations.filter((each) => each.kind === "request");
  expect(requests).toMatchObject([
    { verb: "watch", usedVerbs: ["list", "watch"], resource: "configmaps", namespace: "", name: "", status: 200 },
  ]);
  expect(requests[0]).not.toHaveProperty("reconcileId");
});

it("observes what a request uses and was denied, also of streams", async () => {
  const observations: Observation[] = [];
  const restClient = createRestClient(config, { observer: { observe: (each) => void observations.push(each) } });
  const client = createClient(config, { restClient });
  const applied = ConfigMap.create({ metadata: { namespace: "default", name: "applied" } });
  await client.apply(applied, { fieldOwner: "a" });
  await client.apply(applied, { fieldOwner: "a" });
  for await (const _event of client.watch(ConfigMap, { namespace: "default" })) break;
  const nobody = createRestClient(
    { ...config, impersonate: { userName: "nobody" } },
    {
      observer: { observe: (each) => void observations.push(each) },
    },
  );
  const own = createClient(nobody.config, { restClient: nobody });
  await own.apply(applied, { fieldOwner: "b" }).catch(() => undefined);
  await expect(own.watch(ConfigMap, { namespace: "default" })[Symbol.asyncIterator]().next()).rejects.toThrow(
    "cannot watch resource",
  );
  const requests = observations.filter((each) => each.kind === "request");
  expect(requests.filter(({ resource }) => resource === "configmaps")).toMatchObject([
    { verb: "patch", usedVerbs: ["create", "patch"], status: 201 },
    { verb: "patch", usedVerbs: ["patch"], status: 200 },
    { verb: "watch", usedVerbs: ["watch"], status: 200 },
    { verb: "patch", deniedVerb: "patch", status: 403 },
    { verb: "watch", deniedVerb: "watch", status: 403 },
  ]);
});

it("observes the number of cached objects", async () => {
  const observations = await observed("cached", () => async () => undefined);
  const samples = observations.filter((each) => each.kind === "cache");
  expect(samples[0]).toMatchObject({ apiVersion: "v1", objectKind: "ConfigMap", objects: 0, isSynced: false });
  expect(samples.at(-1)).toMatchObject({ isSynced: true, isMetadataOnly: false });
});
