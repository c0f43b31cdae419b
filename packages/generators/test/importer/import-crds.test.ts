import { structSchema } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { readCrds } from "../../src/importer/crd-facts.ts";
import { importCrds } from "../../src/importer/import-crds.ts";
import { crdOf, faultsOf, roundTrip } from "./crd-sample.ts";
import { SYNTHETIC } from "./synthetic-crds.ts";

describe("importing and generating again", () => {
  it.each(Object.entries(SYNTHETIC))("gives the same schema for %s", async (_name, spec) => {
    expect(faultsOf(await roundTrip([crdOf(spec)]))).toEqual([]);
  });
});

describe("importing", () => {
  it("writes types that read as if written by hand", async () => {
    const { types } = await roundTrip([
      crdOf({
        type: "object",
        description: "ThingSpec is what is wanted.",
        required: ["image"],
        properties: {
          image: { type: "string", description: "Image runs.\nIt has a tag.", minLength: 1 },
          mode: { type: "string", enum: ["Fast", "Safe"], default: "Safe" },
          ports: {
            type: "array",
            items: {
              type: "object",
              required: ["number"],
              properties: { name: { type: "string" }, number: { type: "integer", format: "int32" } },
            },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
          },
        },
      }),
    ]);
    expect(types.slice(types.indexOf("export interface ThingSpec"))).toMatchInlineSnapshot(`
      "export interface ThingSpec {
        /**
         * Image runs.
         * It has a tag.
         * +kubebuilder:validation:MinLength=1
         */
        image: string;

        /** +kubebuilder:default=Safe */
        mode?: "Fast" | "Safe";

        /**
         * +listType=map
         * +listMapKey=name
         */
        ports?: ThingPort[];
      }

      export interface ThingPort {
        name?: string;

        number: int32;
      }

      /** +kubebuilder:object:root=true */
      export interface Thing extends NamespacedObject {
        /** ThingSpec is what is wanted. */
        spec?: ThingSpec;
      }

      export const Thing: Kind<Thing> = defineKind<Thing>(GroupVersion, "Thing");
      "
    `);
  });

  it("uses the raw marker for nothing that a marker or type says", async () => {
    const names = [
      "scalars of every type and format",
      "lists with topology",
      "hostile descriptions",
      "one of several forms",
    ];
    const used = await Promise.all(
      names.map(async (name) => {
        const { result } = await roundTrip([crdOf(SYNTHETIC[name] ?? {})]);
        return [...new Set(result.overrides.filter(({ path }) => path !== "").map(({ keyword }) => keyword))];
      }),
    );
    expect(used).toEqual([[], ["x-kubernetes-list-map-keys"], ["description"], ["oneOf", "anyOf"]]);
  });

  it("uses the names of types in the API where nothing gets lost, and more of them when texts may", async () => {
    const described = JSON.parse(
      JSON.stringify(structSchema("meta/v1.LabelSelector")).replace(
        '"matchLabels":{',
        '"matchLabels":{"description":"Text.",',
      ),
    ) as Record<string, unknown>;
    const spec = { type: "object", properties: { a: structSchema("meta/v1.LabelSelector"), b: described } };
    const careful = await roundTrip([crdOf(spec)]);
    expect(careful.types).toContain("a?: LabelSelector;");
    expect(careful.types).toContain("b?: ThingB;");
    expect(faultsOf(careful)).toEqual([]);
    const { types } = await roundTrip([crdOf(spec)], { losesTexts: true });
    expect(types).toContain("b?: LabelSelector;");
  });

  it("takes one definition that is given twice once, and refuses two that differ", () => {
    const crds = readCrds([crdOf({ type: "object" }), crdOf({ type: "object" })], "a");
    const folderOf = (): string => "v1";
    expect(importCrds({ crds, folderOf, structSchema }).files).toHaveLength(2);
    const other = readCrds([crdOf({ type: "string" })], "b");
    expect(() => importCrds({ crds: [...crds, ...other], folderOf, structSchema })).toThrow(
      "cannot import Thing.example.com twice: its definitions in a and in b differ",
    );
  });

  it.each(["string", "class", "Foo-Bar", "1Foo"])("refuses the kind %s, which no type can be named", (kind) => {
    const manifest = JSON.parse(
      JSON.stringify(crdOf({ type: "object" })).replace('"Thing"', JSON.stringify(kind)),
    ) as unknown;
    const crds = readCrds([manifest], "here");
    expect(() => importCrds({ crds, folderOf: () => "v1", structSchema })).toThrow(
      `cannot import the kind "${kind}" of here: it is not a valid name of a TypeScript type`,
    );
  });

  it.each([
    "Kind",
    "Record",
    "Time",
    "GroupVersion",
    "KubernetesObject",
    "Condition",
    "Object",
    "JSONValue",
    "_x",
    "Array",
  ])("writes a kind that is called %s", async (kind) => {
    const spec = {
      type: "object",
      properties: {
        a: { type: "string", format: "date-time" },
        b: { type: "object", additionalProperties: { type: "string" } },
        c: { "x-kubernetes-preserve-unknown-fields": true },
        d: { type: "array", items: { type: "object", properties: { x: { type: "string" } } } },
      },
    };
    const manifest = JSON.parse(JSON.stringify(crdOf(spec)).replace('"Thing"', JSON.stringify(kind))) as unknown;
    expect(faultsOf(await roundTrip([manifest]))).toEqual([]);
  });

  it("gives kinds that differ only in capitals a file each", () => {
    const [one, other] = ["Thing", "THING"].map((kind) =>
      JSON.parse(JSON.stringify(crdOf({ type: "object" })).replace('"Thing"', JSON.stringify(kind))),
    ) as unknown[];
    const { files } = importCrds({ crds: readCrds([one, other], "a"), folderOf: () => "v1", structSchema });
    expect(files.map(({ path }) => path)).toEqual([
      "v1/groupversion_info.ts",
      "v1/thing_types.ts",
      "v1/thing2_types.ts",
    ]);
  });

  it("tells generators to leave kinds of others alone, and says what no source says", () => {
    const manifest = { ...crdOf({ type: "object" }) } as { spec: Record<string, unknown> };
    manifest.spec = {
      ...manifest.spec,
      conversion: { strategy: "Webhook" },
      names: { kind: "Thing", listKind: "Things" },
    };
    const crds = readCrds([manifest], "a");
    const { files, notes } = importCrds({ crds, folderOf: () => "v1", structSchema, isExternal: true });
    expect(files[0]?.content).toContain("// +groupName=example.com\n// +kubebuilder:skip\n");
    expect(notes).toEqual([
      "Thing.example.com has a conversion webhook, which the types do not express: keep that part of the CRD",
      "Thing.example.com has the list kind Things, which the types do not express",
    ]);
  });
});
