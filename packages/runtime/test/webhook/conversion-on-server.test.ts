import { Environment } from "@kubescaffold/envtest";
import { defineKind, type Kind } from "@kubescaffold/k8s";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";

interface BookV1 extends KubernetesObject {
  spec: { pages: number };
}
interface BookV2 extends KubernetesObject {
  spec: { length?: { pages: number } };
}
const group = "conversions.demo";
const BookV1: Kind<BookV1> = defineKind<BookV1>({ group, version: "v1" }, "Book");
const BookV2: Kind<BookV2> = defineKind<BookV2>({ group, version: "v2" }, "Book");

const version = (name: string, spec: object): object => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: spec } } } },
});

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `books.${group}` },
  spec: {
    group,
    names: { kind: "Book", listKind: "BookList", plural: "books", singular: "book" },
    scope: "Namespaced",
    versions: [
      version("v1", { pages: { type: "integer" } }),
      version("v2", { length: { type: "object", properties: { pages: { type: "integer" } } } }),
    ],
  },
};

const environment = new Environment({ crds: [CRD], webhooks: { conversions: [BookV1] } });
const stopping = new AbortController();
let client: LiveClient;
let namespace: string;
let running: Promise<void>;

beforeAll(async () => {
  const config = await environment.start();
  const { host, port, certDirectory } = environment.webhookServing;
  const mgr = await createManager(config, {
    logger: silentLogger,
    metrics: { bindAddress: "0" },
    webhook: { host, port, certDir: certDirectory },
  });
  newWebhookManagedBy(mgr)
    .for(BookV1)
    .withConversion({
      spoke: BookV2,
      convertTo: ({ metadata, spec }: BookV2) => {
        if (spec.length === undefined) throw new Error("a book without a length cannot be kept");
        return BookV1.create({ metadata, spec: { pages: spec.length.pages } });
      },
      convertFrom: ({ metadata, spec }) => BookV2.create({ metadata, spec: { length: { pages: spec.pages } } }),
    })
    .complete();
  running = mgr.start(stopping.signal);
  await Promise.race([mgr.getWebhookServer().listening, running]);
  client = createClient(config);
  const made = await client.create(Namespace.create({ metadata: { generateName: "conversions-" } }));
  namespace = made.metadata.name ?? "";
});

afterAll(async () => {
  stopping.abort();
  await running;
  await environment.stop();
});

describe("conversion on a server", () => {
  it("row 41: reads and writes each version as the manager converts it, and loses nothing", async () => {
    const key = { namespace, name: "atlas" };
    await client.create(BookV2.create({ metadata: key, spec: { length: { pages: 12 } } }));
    const stored = await client.get(BookV1, key);
    expect(stored.spec).toEqual({ pages: 12 });
    await client.update({ ...stored, spec: { pages: 13 } });
    expect((await client.get(BookV2, key)).spec).toEqual({ length: { pages: 13 } });
    expect((await client.list(BookV2, { namespace })).items.map(({ spec }) => spec)).toEqual([
      { length: { pages: 13 } },
    ]);
  });

  it("shows the client why an object cannot be converted", async () => {
    const book = BookV2.create({ metadata: { namespace, name: "empty" }, spec: {} });
    await expect(client.create(book)).rejects.toThrow("a book without a length cannot be kept");
  });

  it("row 37: lets a manager cache a version that a webhook converts", async () => {
    const stop = new AbortController();
    const mgr = await createManager(environment.config, { logger: silentLogger, metrics: { bindAddress: "0" } });
    const key = { namespace, name: "cached" };
    await client.create(BookV1.create({ metadata: key, spec: { pages: 5 } }));
    const started = mgr.start(stop.signal);
    await vi.waitFor(async () => {
      expect((await mgr.getClient().get(BookV2, key)).spec).toEqual({ length: { pages: 5 } });
    }, 20_000);
    stop.abort();
    await started;
  });
});
