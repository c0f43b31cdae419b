import { describe, expect, it } from "vitest";

import { readCrds } from "../../src/importer/crd-facts.ts";
import { kindMarkers } from "../../src/importer/kind-markers.ts";
import { crdOf, type Sample } from "./crd-sample.ts";

function markersOf(version: Sample, spec: Sample = {}): readonly string[] {
  const manifest = crdOf({ type: "object" }, version);
  const [crd] = readCrds([{ ...manifest, spec: { ...(manifest["spec"] as Sample), ...spec } }], "a");
  const [first] = crd?.versions ?? [];
  return crd === undefined || first === undefined ? [] : kindMarkers(crd, first);
}

describe("the markers of a kind", () => {
  it("say nothing that the generator knows anyway", () => {
    expect(markersOf({})).toEqual(["+kubebuilder:object:root=true"]);
  });

  it("say what differs from that", () => {
    const names = { kind: "Thing", plural: "thingies", shortNames: ["th"], categories: ["all"] };
    expect(
      markersOf(
        {
          served: false,
          deprecated: true,
          subresources: { status: {}, scale: { specReplicasPath: ".a", statusReplicasPath: ".b" } },
          additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".a", priority: 1 }],
          selectableFields: [{ jsonPath: ".a" }],
        },
        { names, scope: "Cluster" },
      ),
    ).toEqual([
      "+kubebuilder:object:root=true",
      "+kubebuilder:resource:path=thingies,shortName={th},categories={all},scope=Cluster",
      "+kubebuilder:subresource:status",
      '+kubebuilder:subresource:scale:specpath=".a",statuspath=".b"',
      '+kubebuilder:printcolumn:name=A,type=string,JSONPath=".a",priority=1',
      '+kubebuilder:selectablefield:JSONPath=".a"',
      "+kubebuilder:unservedversion",
      "+kubebuilder:deprecatedversion",
    ]);
  });
});
