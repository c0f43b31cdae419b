import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace, Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createMetadataClient } from "../../src/client/metadata-client.ts";
import { raw } from "../../src/client/patch.ts";
import { createDynamicClient } from "../../src/client/resource-clients.ts";
import {
  createDynamicSharedInformerFactory,
  createMetadataSharedInformerFactory,
} from "../../src/informers/resource-informer-factory.ts";
import { createSharedInformerFactory } from "../../src/informers/shared-informer-factory.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";

const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps" };
const SECRETS = { group: "", version: "v1", resource: "secrets" };
const NAMESPACES = { group: "", version: "v1", resource: "namespaces" };
const LIVENESS = { timeout: 20_000 };

const environment = new Environment();
let config: RestConfig;
let live: LiveClient;
let rest: RestClient;
let namespace = "";
let stop = new AbortController();

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
  rest = createRestClient(config);
  namespace = (await live.create(Namespace.create({ metadata: { generateName: "informers-" } }))).metadata.name;
  await live.create(ConfigMap.create({ metadata: { namespace, name: "a", labels: { app: "web" } }, data: { x: "1" } }));
  await live.create(ConfigMap.create({ metadata: { namespace, name: "b" } }));
  await live.create(Secret.create({ metadata: { namespace, name: "token" }, stringData: { token: "x" } }));
});

afterEach(() => {
  stop.abort();
  stop = new AbortController();
});
afterAll(() => environment.stop());

const options = { logger: silentLogger, registry: createMetricsRegistry() };

describe("factories of informers on a server", () => {
  it("watch objects by kind, in a namespace, with and without a type", async () => {
    const factory = createSharedInformerFactory(live, { ...options, namespace });
    const typed = factory.forKind(ConfigMap);
    const untyped = factory.forKind({ group: "", version: "v1", kind: "Secret" });
    factory.start(stop.signal);
    expect(await factory.waitForCacheSync(stop.signal)).toMatchObject([{ isSynced: true }, { isSynced: true }]);
    expect(typed.lister.get({ namespace, name: "a" })?.data).toEqual({ x: "1" });
    expect(untyped.lister.get({ namespace, name: "token" })?.["data"]).toEqual({
      token: Buffer.from("x").toString("base64"),
    });
    await live.create(ConfigMap.create({ metadata: { namespace, name: "late" } }));
    await expect.poll(() => typed.lister.get({ namespace, name: "late" }), LIVENESS).toBeDefined();
    await factory.shutdown();
  });

  it("watch a cluster-scoped kind, although the factory has a namespace", async () => {
    const factory = createSharedInformerFactory(live, { ...options, namespace });
    const { lister } = factory.forKind(Namespace);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    expect(lister.get({ namespace: "", name: namespace })).toMatchObject({ kind: "Namespace" });
  });

  it("watch untyped objects by resource, which have their kind", async () => {
    const factory = createDynamicSharedInformerFactory(createDynamicClient(rest), {
      ...options,
      namespace,
      tweakListOptions: (selection) => ({ ...selection, labelSelector: "app" }),
    });
    const { informer, lister } = factory.forResource(CONFIG_MAPS);
    expect(factory.forResource({ ...CONFIG_MAPS }).informer).toBe(informer);
    const deleted: unknown[] = [];
    informer.addEventHandler({
      onAdd: () => undefined,
      onUpdate: () => undefined,
      onDelete: ({ metadata }) => void deleted.push(metadata.name),
    });
    factory.start(stop.signal);
    expect(await factory.waitForCacheSync(stop.signal)).toEqual([{ target: CONFIG_MAPS, isSynced: true }]);
    expect(lister.list()).toMatchObject([{ apiVersion: "v1", kind: "ConfigMap", data: { x: "1" } }]);
    const unlabeled = raw("application/merge-patch+json", { metadata: { labels: null } });
    await live.patch(ConfigMap.create({ metadata: { namespace, name: "a" } }), unlabeled);
    await expect.poll(() => deleted, LIVENESS).toEqual(["a"]);
    expect(lister.list()).toEqual([]);
    await factory.shutdown();
  });

  it("watch metadata by resource, without other fields", async () => {
    const factory = createMetadataSharedInformerFactory(createMetadataClient(rest), { ...options, namespace });
    const { lister } = factory.forResource(SECRETS);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    const read = lister.get({ namespace, name: "token" });
    expect(Object.keys(read ?? {}).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
    await live.create(Secret.create({ metadata: { namespace, name: "late" }, stringData: { token: "x" } }));
    await expect.poll(() => lister.get({ namespace, name: "late" }), LIVENESS).toBeDefined();
    expect(Object.keys(lister.get({ namespace, name: "late" }) ?? {})).not.toContain("data");
    await factory.shutdown();
  });
});

describe("a metadata client on a server", () => {
  it("reads, watches, patches, and deletes by resource, and returns metadata alone", async () => {
    const secrets = createMetadataClient(rest).resource(SECRETS).namespace(namespace);
    const metadata = { namespace, name: "short", labels: { short: "yes" } };
    await live.create(Secret.create({ metadata, stringData: { token: "x" } }));
    const read = await secrets.get("short");
    expect(read).toMatchObject({ kind: "PartialObjectMetadata", metadata });
    const list = await secrets.list({ labels: { short: "yes" } });
    expect(list.items).toEqual([read]);
    const patched = await secrets.patch(
      "short",
      raw("application/merge-patch+json", { metadata: { labels: { a: "b" } } }),
    );
    expect(Object.keys(patched).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
    expect(patched.metadata.labels).toEqual({ short: "yes", a: "b" });
    const resourceVersion = list.metadata.resourceVersion ?? "";
    for await (const event of secrets.watch({ resourceVersion, labels: { short: "yes" }, signal: stop.signal })) {
      expect(event).toMatchObject({ type: "MODIFIED", object: { metadata: { labels: { a: "b" } } } });
      expect(Object.keys(event.object)).not.toContain("data");
      break;
    }
    await secrets.delete("short");
    expect((await secrets.list({ labels: { short: "yes" } })).items).toEqual([]);
  });

  it("reads cluster-scoped resources, and its objects are refused by writes, which would erase them", async () => {
    const read = await createMetadataClient(rest).resource(NAMESPACES).get(namespace);
    // @ts-expect-error metadata is no whole object
    await expect(live.update(read)).rejects.toMatchObject({ code: "CLIENT_PARTIAL_OBJECT" });
  });
});
