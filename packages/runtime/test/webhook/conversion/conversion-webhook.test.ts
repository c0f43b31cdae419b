import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newWebhookManagedBy } from "../../../src/builder/webhook-builder.ts";
import { silentLogger } from "../../../src/log/logger.ts";
import { webhookMetrics } from "../../../src/metrics/webhook-metrics.ts";
import { ConversionRegistry, type SpokeConverter } from "../../../src/webhook/conversion-registry.ts";
import { conversionWebhook } from "../../../src/webhook/conversion/conversion-webhook.ts";
import { WebhookServer } from "../../../src/webhook/webhook-server.ts";

interface BookV1 extends KubernetesObject {
  spec: { pages: number; words?: string };
}
interface BookV2 extends KubernetesObject {
  spec: { size: string; words?: string };
}
interface BookV3 extends KubernetesObject {
  spec: { length: { pages: number }; words?: string };
}
const group = "test.example.com";
const BookV1: Kind<BookV1> = defineKind<BookV1>({ group, version: "v1" }, "Book");
const BookV2: Kind<BookV2> = defineKind<BookV2>({ group, version: "v2" }, "Book");
const BookV3: Kind<BookV3> = defineKind<BookV3>({ group, version: "v3" }, "Book");

const fromV2: SpokeConverter<BookV1, BookV2> = {
  spoke: BookV2,
  convertTo: ({ metadata, spec: { size, ...spec } }) => {
    if (size === "broken") throw new Error("a broken book has no pages");
    if (size === "bug") (undefined as unknown as { read: () => void }).read();
    return BookV1.create({ metadata, spec: { ...spec, pages: Number(size) } });
  },
  convertFrom: ({ metadata, spec: { pages, ...spec } }) =>
    BookV2.create({ metadata, spec: { ...spec, size: String(pages) } }),
};
const fromV3: SpokeConverter<BookV1, BookV3> = {
  spoke: BookV3,
  convertTo: ({ metadata, spec: { length, ...spec } }) =>
    BookV1.create({ metadata: { annotations: { ...metadata.annotations, from: "v3" } }, spec: { ...spec, ...length } }),
  convertFrom: ({ metadata, spec: { pages, ...spec } }) =>
    BookV3.create({ metadata, spec: { ...spec, length: { pages } } }),
};

function registryOf(...spokes: readonly SpokeConverter<BookV1>[]): ConversionRegistry {
  const registry = new ConversionRegistry();
  registry.register(BookV1, spokes);
  return registry;
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: {
    readonly uid: string;
    readonly convertedObjects: readonly KubernetesObject[];
    readonly result: { readonly status: string; readonly message?: string };
  };
}

async function post(body: unknown, registry = registryOf(fromV2, fromV3)): Promise<Response> {
  return await conversionWebhook({ registry, log: silentLogger })(
    new Request("https://localhost/convert", { method: "POST", body: JSON.stringify(body) }),
  );
}

async function convert(objects: readonly unknown[], version: string): Promise<Review["response"]> {
  const response = await post({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u-1", desiredAPIVersion: `${group}/${version}`, objects },
  });
  expect(response.status).toBe(200);
  const review = (await response.json()) as Review;
  expect(review).toMatchObject({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" });
  expect(review.response.uid).toBe("u-1");
  return review.response;
}

const metadata = { name: "a", namespace: "n", uid: "id", resourceVersion: "7", labels: { keep: "me" } };

describe("row 41: conversion", () => {
  it("converts between all pairs, spokes through the hub, and keeps order and count", async () => {
    const books = [
      BookV1.create({ metadata: { ...metadata, name: "one" }, spec: { pages: 1 } }),
      BookV3.create({ metadata: { ...metadata, name: "three" }, spec: { length: { pages: 3 } } }),
      BookV1.create({ metadata: { ...metadata, name: "four" }, spec: { pages: 4 } }),
    ];
    const { convertedObjects, result } = await convert(books, "v2");
    expect(result).toEqual({ metadata: {}, status: "Success" });
    expect(convertedObjects).toEqual([
      { apiVersion: `${group}/v2`, kind: "Book", metadata: { ...metadata, name: "one" }, spec: { size: "1" } },
      {
        apiVersion: `${group}/v2`,
        kind: "Book",
        metadata: { ...metadata, name: "three", labels: undefined, annotations: { from: "v3" } },
        spec: { size: "3" },
      },
      { apiVersion: `${group}/v2`, kind: "Book", metadata: { ...metadata, name: "four" }, spec: { size: "4" } },
    ]);
  });

  it("takes labels and annotations from the converter and all other metadata from the object", async () => {
    const { convertedObjects } = await convert([BookV3.create({ metadata, spec: { length: { pages: 3 } } })], "v1");
    expect(convertedObjects[0]?.metadata).toEqual({
      name: "a",
      namespace: "n",
      uid: "id",
      resourceVersion: "7",
      annotations: { from: "v3" },
    });
  });

  it("loses nothing between hub and spoke for any object", () => {
    const registry = registryOf(fromV2, fromV3);
    const spec = fc.record({ pages: fc.nat(), words: fc.string() }, { requiredKeys: ["pages"] });
    fc.assert(
      fc.property(spec, (given) => {
        const book = BookV1.create({ metadata, spec: given });
        const v2 = registry.convert(book, `${group}/v2`);
        expect(registry.convert(v2, `${group}/v1`)).toEqual(book);
        expect(registry.convert(v2, `${group}/v3`)).toMatchObject({ spec: { length: { pages: given.pages } } });
      }),
    );
  });

  it.each([
    ["a converter's error", BookV2.create({ metadata, spec: { size: "broken" } }), "v1", "a broken book has no pages"],
    ["the version it has", BookV1.create({ metadata, spec: { pages: 1 } }), "v1", "it already has that version"],
    ["an unknown version", BookV1.create({ metadata, spec: { pages: 1 } }), "v9", "no converter for"],
    [
      "an unknown kind",
      { apiVersion: `${group}/v1`, kind: "Pen", metadata },
      "v2",
      "no conversion of Pen is registered",
    ],
    ["an object without a kind", { apiVersion: `${group}/v1`, metadata }, "v2", "no apiVersion or kind"],
  ])("fails the whole review for %s, with the reason", async (_, object, version, message) => {
    const fine = BookV2.create({ metadata, spec: { size: "1" } });
    const { convertedObjects, result } = await convert(version === "v1" ? [fine, object] : [object], version);
    expect(convertedObjects).toEqual([]);
    expect(result.status).toBe("Failure");
    expect(result.message).toContain(message);
  });

  it("counts a defect of a converter and hides it from the server", async () => {
    const { conversionPanics } = webhookMetrics();
    const before = (await conversionPanics.get()).values[0]?.value ?? 0;
    const { result } = await convert([BookV2.create({ metadata, spec: { size: "bug" } })], "v1");
    expect(result).toMatchObject({ status: "Failure", message: "internal error occurred during conversion" });
    expect((await conversionPanics.get()).values[0]?.value).toBe(before + 1);
  });

  it.each([
    ["another kind", { apiVersion: "v1", kind: "Pod" }],
    ["an older review", { apiVersion: "apiextensions.k8s.io/v1beta1", kind: "ConversionReview", request: {} }],
    ["a review without a request", { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" }],
  ])("answers %s with HTTP 400", async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });
});

describe("withConversion", () => {
  const host = (): { getWebhookServer: () => WebhookServer; getLogger: () => typeof silentLogger } => {
    const server = new WebhookServer({ port: 0, log: silentLogger });
    return { getWebhookServer: () => server, getLogger: () => silentLogger };
  };

  it("serves /convert once for all kinds, and accepts more spokes of a hub later", () => {
    const mgr = host();
    newWebhookManagedBy(mgr).for(BookV1).withConversion(fromV2).complete();
    newWebhookManagedBy(mgr).for(BookV1).withConversion(fromV3).complete();
    expect(mgr.getWebhookServer().has("/convert")).toBe(true);
    const book = BookV2.create({ metadata, spec: { size: "5" } });
    expect(mgr.getWebhookServer().conversions.convert(book, `${group}/v3`)).toMatchObject({
      spec: { length: { pages: 5 } },
    });
  });

  it.each([
    ["a version twice", [fromV2, fromV2], "two converters for v2"],
    ["the hub as its own spoke", [{ ...fromV2, spoke: BookV1 }], "cannot be a spoke of itself"],
    ["another kind", [{ ...fromV2, spoke: { group, version: "v2", kind: "Pen" } }], "is not a version of Book"],
  ])("refuses %s", (_, spokes, message) => {
    const builder = newWebhookManagedBy(host())
      .for(BookV1)
      .withConversion(...spokes);
    expect(() => builder.complete()).toThrow(expect.objectContaining({ code: "WEBHOOK_CONVERSION" }) as Error);
    expect(() => builder.complete()).toThrow(message);
  });

  it("refuses a second hub of a kind", () => {
    const mgr = host();
    newWebhookManagedBy(mgr).for(BookV1).withConversion(fromV2).complete();
    const second = newWebhookManagedBy(mgr)
      .for(BookV2)
      .withConversion({ ...fromV2, spoke: BookV3 } as unknown as SpokeConverter<BookV2>);
    expect(() => second.complete()).toThrow("the hub of Book is v1, so v2 cannot be the hub");
  });
});
