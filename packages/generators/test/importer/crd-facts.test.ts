import { describe, expect, it } from "vitest";

import { readCrds } from "../../src/importer/crd-facts.ts";
import { crdOf, faultsOf, roundTrip, type Sample } from "./crd-sample.ts";

const SPEC = { type: "object", properties: { replicas: { type: "integer" } } };

function withSpec(changes: Sample, metadata: Sample = {}): Sample {
  const crd = crdOf(SPEC);
  return { ...crd, metadata, spec: { ...(crd["spec"] as Sample), ...changes } };
}

describe("reading definitions", () => {
  it("finds them in lists, among other objects", () => {
    const list = { kind: "List", apiVersion: "v1", items: [crdOf(SPEC), { kind: "Pod" }] };
    const ownList = { kind: "CustomResourceDefinitionList", items: [crdOf(SPEC)] };
    expect(readCrds([list, ownList, { kind: "Secret" }, 3, null], "a")).toHaveLength(2);
  });

  it("fills in what servers fill in", () => {
    const [crd] = readCrds([withSpec({ names: { kind: "Ox" }, scope: undefined })], "a");
    expect(crd).toMatchObject({ plural: "oxen", singular: "ox", listKind: "OxList", scope: "Namespaced" });
  });

  it("omits who made the manifest", () => {
    const annotations = { "controller-gen.kubebuilder.io/version": "v0.1.0", keep: "me" };
    expect(readCrds([withSpec({}, { annotations })], "a")[0]?.annotations).toEqual({ keep: "me" });
  });

  it.each([
    [
      { ...crdOf(SPEC), apiVersion: "apiextensions.k8s.io/v1beta1" },
      'its apiVersion is "apiextensions.k8s.io/v1beta1"',
    ],
    [withSpec({ names: {} }), "it has no spec.names.kind"],
    [withSpec({ group: "" }), "it has no spec.group"],
    [withSpec({ versions: [] }), "it has no spec.versions"],
    [withSpec({ versions: [{ name: "v1" }] }), "it has no schema of the version v1"],
    [withSpec({ versions: [{ schema: {} }] }), "it has no spec.versions[].name"],
  ])("says what is wrong (%#)", (manifest, why) => {
    expect(() => readCrds([manifest], "here")).toThrow(expect.objectContaining({ code: "IMPORT_INVALID_CRD" }));
    expect(() => readCrds([manifest], "here")).toThrow(why);
  });
});

describe("facts beside the schema", () => {
  const version = (name: string, more: Sample): Sample => ({
    ...(crdOf(SPEC)["spec"] as { versions: Sample[] }).versions[0],
    name,
    storage: false,
    ...more,
  });

  it.each<readonly [name: string, changes: Sample, metadata: Sample]>([
    [
      "names",
      {
        names: { kind: "Thing", plural: "thingies", singular: "thingy", shortNames: ["t", "th"], categories: ["all"] },
      },
      {},
    ],
    ["the scope", { scope: "Cluster" }, {}],
    [
      "labels and annotations",
      {},
      { labels: { "a/b": "c=d", e: "" }, annotations: { "x.y/z": 'multi\nline, "quoted"; }' } },
    ],
    ["one version that is not served well", { versions: [version("v1", { storage: true, deprecated: true })] }, {}],
    [
      "several versions",
      {
        versions: [
          version("v1beta1", { served: false, deprecated: true, deprecationWarning: 'use v1, "please"; now' }),
          version("v1", { storage: true }),
          version("v2alpha1", {}),
        ],
      },
      { labels: { a: "b" } },
    ],
    [
      "subresources",
      {
        versions: [
          version("v1", {
            storage: true,
            subresources: {
              status: {},
              scale: {
                specReplicasPath: ".spec.replicas",
                statusReplicasPath: ".status.replicas",
                labelSelectorPath: ".status.selector",
              },
            },
          }),
        ],
      },
      {},
    ],
    [
      "columns and selectable fields",
      {
        versions: [
          version("v1", {
            storage: true,
            additionalPrinterColumns: [
              { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
              {
                name: "Odd, one",
                type: "string",
                format: "byte",
                priority: 10,
                description: 'What "is" it; or {not}, `x`',
                jsonPath: ".status.conditions[?(@.type=='Ready')].status",
              },
              { name: "Zero", type: "integer", jsonPath: ".x", priority: 0, description: "" },
            ],
            selectableFields: [{ jsonPath: ".spec.a" }, { jsonPath: ".spec.b" }],
            subresources: {},
          }),
        ],
      },
      {},
    ],
  ])("come out as they went in: %s", async (_name, changes, metadata) => {
    expect(faultsOf(await roundTrip([withSpec(changes, metadata)]))).toEqual([]);
  });
});
