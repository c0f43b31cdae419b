import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { SpokeConverter } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { checkRoundTrips, type VersionedField } from "../../src/conversion/check-round-trips.ts";

interface V1 extends KubernetesObject {
  spec: { pages: number; words?: readonly string[] };
}
interface V2 extends KubernetesObject {
  spec: { length: { pages: number }; words?: readonly string[] };
}
const group = "test.example.com";
const V1: Kind<V1> = defineKind<V1>({ group, version: "v1" }, "Book");
const V2: Kind<V2> = defineKind<V2>({ group, version: "v2" }, "Book");

const pages = { type: "integer", minimum: 1, maximum: 9 };
const words = { type: "array", items: { type: "string" } };
const version = (name: string, properties: object, required: string): object => ({
  name,
  schema: {
    openAPIV3Schema: {
      type: "object",
      required: ["spec"],
      properties: { spec: { type: "object", required: [required], properties } },
    },
  },
});
const definition = {
  spec: {
    versions: [
      version("v1", { pages, words }, "pages"),
      version("v2", { length: { type: "object", required: ["pages"], properties: { pages } }, words }, "length"),
    ],
  },
} as unknown as CustomResourceDefinition;

const converter: SpokeConverter<V1, V2> = {
  spoke: V2,
  convertTo: ({ metadata, spec: { length, ...spec } }) => V1.create({ metadata, spec: { ...spec, ...length } }),
  convertFrom: ({ metadata, spec: { pages: count, ...spec } }) =>
    V2.create({ metadata, spec: { ...spec, length: { pages: count } } }),
};

describe("checkRoundTrips", () => {
  it("uses custom values of fields in their version", async () => {
    const seen: unknown[] = [];
    const recording: SpokeConverter<V1, V2> = {
      ...converter,
      convertTo: (book) => {
        seen.push(book.spec.words);
        return converter.convertTo(book);
      },
    };
    const paths = new Set<string>();
    const values = ({ version: name, path, random }: VersionedField): string[] | number | undefined => {
      paths.add(`${name} ${path}`);
      if (name === "v2" && path === "spec.words") return [`word-${String(Math.floor(random() * 3))}`];
      return path === "spec.pages" ? 7 : undefined;
    };
    await checkRoundTrips({ definition, hub: V1, converter: recording, runs: 20, values });
    const made = seen.slice(0, 20).filter((words) => words !== undefined);
    expect(made.length).toBeGreaterThan(0);
    expect(['["word-0"]', '["word-1"]', '["word-2"]']).toEqual(
      expect.arrayContaining(made.map((words) => JSON.stringify(words))),
    );
    expect([...paths]).toEqual(expect.arrayContaining(["v1 spec", "v1 spec.words[]", "v2 spec.length.pages"]));
    expect(paths).not.toContain("v2 spec.words[]");
  });

  it("passes a converter that loses nothing, with objects both ways", async () => {
    expect(await checkRoundTrips({ definition, hub: V1, converter, runs: 20 })).toEqual({ checked: 40 });
  });

  it.each<[string, Partial<SpokeConverter<V1, V2>>]>([
    [
      "drops a field on the way there",
      { convertTo: ({ metadata, spec }) => V1.create({ metadata, spec: spec.length }) },
    ],
    [
      "hides a field where the version has none",
      { convertFrom: ({ metadata, spec }) => V2.create({ metadata, spec: { ...spec, length: { pages: 1 } } }) },
    ],
    [
      "drops the labels",
      { convertFrom: (hub) => converter.convertFrom({ ...hub, metadata: { name: hub.metadata.name ?? "" } }) },
    ],
  ])("refuses one that %s, and shows the object", async (_, broken) => {
    await expect(
      checkRoundTrips({ definition, hub: V1, converter: { ...converter, ...broken } }),
    ).rejects.toMatchObject({
      code: "ENVTEST_CONVERSION_LOSS",
      message: expect.stringMatching(
        /^an object changed in a round-trip conversion:\n[^]*^[-+] .*$[^]*\nin the other version, it was \{/mu,
      ) as string,
    });
  });
});
