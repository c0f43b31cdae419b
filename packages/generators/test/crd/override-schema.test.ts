import { describe, expect, it } from "vitest";

import { crdGenerator } from "../../src/crd/crd-generator.ts";
import { applyOverrides, joinOverrides } from "../../src/crd/override-schema.ts";
import { generatorInput } from "../support/generator-input.ts";

const GROUP = "// +groupName=example.com\n";

async function schemaOf(source: string): Promise<unknown> {
  const head = 'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\n';
  const input = await generatorInput({ "api/v1/groupversion_info.ts": GROUP, "api/v1/thing_types.ts": head + source });
  const { crds = [], diagnostics } = crdGenerator(input);
  expect([...input.marked.diagnostics, ...diagnostics]).toEqual([]);
  const properties = crds[0]?.schemas.get("v1")?.properties ?? {};
  return JSON.parse(
    JSON.stringify(properties["spec"], (key, value: unknown) => (key === "origin" ? undefined : value)),
  );
}

describe("overriding schemas", () => {
  it("a marker of a property says what no type can say", async () => {
    const schema = await schemaOf(`
export interface Thing extends KubernetesObject {
  /**
   * +kubescaffold:schema={"anyOf":[{"required":["a"]},{"required":["b"]}]}
   */
  spec: { a?: string; b?: string };
}`);
    expect(schema).toMatchObject({ type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] });
  });

  it("the use of a type goes before the type, keyword by keyword", async () => {
    const schema = await schemaOf(`
/** +kubescaffold:schema={"title":"type","format":"x","properties":{"a":{"description":"of the type"}}} */
export interface Spec { a?: string }
export interface Thing extends KubernetesObject {
  /** +kubescaffold:schema={"title":"use","properties":{"a":{"title":"A"}}} */
  spec: Spec;
}`);
    const a = { type: "string", description: "of the type", title: "A" };
    expect(schema).toEqual({ type: "object", title: "use", format: "x", properties: { a } });
  });

  it("null removes a keyword or a property, also one that the generator adds", async () => {
    const source = `
/** +kubescaffold:schema={"properties":{"apiVersion":null,"kind":{"description":null}}} */
export interface Thing extends KubernetesObject { spec: string }`;
    const head = 'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\n';
    const input = await generatorInput({ "api/v1/groupversion_info.ts": GROUP, "api/v1/t.ts": head + source });
    const properties = crdGenerator(input).crds?.[0]?.schemas.get("v1")?.properties ?? {};
    expect(Object.keys(properties).toSorted()).toEqual(["kind", "metadata", "spec"]);
    expect(properties["kind"]).toEqual({ type: "string" });
  });

  it("is not needed to ask for the metadata of a kind: a marker of the kind itself does", async () => {
    const head = 'import type { KubernetesObject, ObjectMeta } from "@kubescaffold/k8s/meta/v1";\n';
    const source = `
export interface Thing extends KubernetesObject {
  /** +required */
  metadata: ObjectMeta;
  /** Text with an end *\\/ of comment. */
  spec: string;
}`;
    const input = await generatorInput({ "api/v1/groupversion_info.ts": GROUP, "api/v1/t.ts": head + source });
    const schema = crdGenerator(input).crds?.[0]?.schemas.get("v1");
    expect(schema?.required).toEqual(["metadata", "spec"]);
    expect(schema?.properties?.["spec"]?.description).toBe("Text with an end */ of comment.");
  });

  it("what is no object is a diagnostic", async () => {
    const source = `
export interface Thing extends KubernetesObject {
  /** +kubescaffold:schema=[1] */
  spec: string;
}`;
    const head = 'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\n';
    const input = await generatorInput({ "api/v1/groupversion_info.ts": GROUP, "api/v1/t.ts": head + source });
    expect(crdGenerator(input).diagnostics).toMatchObject([
      { code: "GENERATE_MARKER_MISFIT", message: "+kubescaffold:schema expects a JSON object, found [1]", line: 4 },
    ]);
  });

  it("keeps the identity of what is not overridden", () => {
    const untouched = { type: "object", properties: { a: { type: "string" } } };
    const result = applyOverrides({ properties: { untouched, b: { type: "string", override: { type: null } } } });
    expect(result.properties?.["untouched"]).toBe(untouched);
    expect(result.properties?.["b"]).toEqual({});
  });

  it("joins overrides of the same property, whatever its name", () => {
    const joined = joinOverrides({ properties: { constructor: { title: "a" } } }, { properties: { toString: null } });
    expect(joined).toEqual({ properties: { constructor: { title: "a" }, toString: null } });
  });
});
