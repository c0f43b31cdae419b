import { structSchema } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { readCrds } from "../../src/importer/crd-facts.ts";
import { type KindFile, writeKindFile } from "../../src/importer/kind-file.ts";
import { namesOfKinds } from "../../src/importer/type-names.ts";
import { createWellKnownTypes } from "../../src/importer/well-known-types.ts";
import { crdOf, crdOfRoot, type Sample } from "./crd-sample.ts";

const wellKnown = createWellKnownTypes({ structSchema, losesTexts: false });

function write(manifest: Sample): KindFile {
  const [crd] = readCrds([manifest], "a");
  const [version] = crd?.versions ?? [];
  if (crd === undefined || version === undefined) throw new TypeError("the manifest has no version");
  return writeKindFile({ crd, version, wellKnown, header: "// Ours.\n\n", taken: namesOfKinds([crd.kind]) });
}

describe("the file of a kind", () => {
  it("has the header, imports, types and the value of the kind's name", () => {
    expect(write(crdOf({ type: "object", properties: { a: { type: "string" } } })).content).toBe(
      [
        "// Ours.",
        "",
        'import { defineKind, type Kind } from "@kubescaffold/k8s";',
        'import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";',
        "",
        'import { GroupVersion } from "./groupversion_info.ts";',
        "",
        "export interface ThingSpec {",
        "  a?: string;",
        "}",
        "",
        "/** +kubebuilder:object:root=true */",
        "export interface Thing extends NamespacedObject {",
        "  spec?: ThingSpec;",
        "}",
        "",
        'export const Thing: Kind<Thing> = defineKind<Thing>(GroupVersion, "Thing");',
        "",
      ].join("\n"),
    );
  });

  it("extends KubernetesObject if the kind is cluster-scoped", () => {
    const crd = crdOf({ type: "object" });
    const { content } = write({ ...crd, spec: { ...(crd["spec"] as Sample), scope: "Cluster" } });
    expect(content).toContain('import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";');
    expect(content).toContain("export interface Thing extends KubernetesObject {");
    expect(content).toContain("scope=Cluster");
  });

  it("redeclares what every kind has only for another text, or to ask for it", () => {
    const properties = { apiVersion: { type: "string", description: "Old." }, metadata: { type: "object" } };
    const { content, overrides } = write(crdOfRoot({ type: "object", required: ["metadata"], properties }));
    expect(content).toContain("  /** Old. */\n  apiVersion: string;\n\n  /** +required */\n  metadata: ObjectMeta;\n");
    expect(content).toContain('+kubescaffold:schema={"properties":{"kind":null}}');
    expect(overrides).toEqual([{ path: "", keyword: "properties" }]);
  });
});
