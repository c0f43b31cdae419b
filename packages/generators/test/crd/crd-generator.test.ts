import { expect, it } from "vitest";

import { crdGenerator } from "../../src/crd/crd-generator.ts";
import { generatorInput } from "../support/generator-input.ts";

const TYPES = `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
/** A widget. */
export interface Widget extends KubernetesObject {
  spec: string;
}
`;

it("makes one manifest for each kind and hands the CRD to the checks", async () => {
  const { artifacts, crds } = crdGenerator(await generatorInput({ "api/v1/widget_types.ts": TYPES }));
  expect(artifacts.map((each) => [each.kind, each.name])).toEqual([["config", "demo.example.com_widgets.yaml"]]);
  expect(crds).toHaveLength(1);
  expect(artifacts[0]?.content).toBe(crds?.[0]?.yaml);
  expect([...(crds?.[0]?.schemas.keys() ?? [])]).toEqual(["v1"]);
  expect(crds?.[0]?.schemas.get("v1")?.properties?.["spec"]).toMatchObject({ type: "string" });
});

it("obeys its options", async () => {
  const options = { maxDescLen: 0, omitToolVersion: true, deprecatedV1beta1CompatibilityPreserveUnknownFields: false };
  const { artifacts } = crdGenerator(await generatorInput({ "api/v1/widget_types.ts": TYPES }, options));
  const content = artifacts[0]?.content ?? "";
  expect(content).not.toContain("description:");
  expect(content).not.toContain("annotations:");
  expect(content).toContain("  preserveUnknownFields: false\n");
});

it("refuses other versions of the CRD object itself", async () => {
  const { artifacts, diagnostics } = crdGenerator(
    await generatorInput({ "v1/a.ts": TYPES }, { crdVersions: ["v1beta1"] }),
  );
  expect([artifacts, diagnostics.map((each) => each.code)]).toEqual([[], ["GENERATE_CRD_VERSION"]]);
});
