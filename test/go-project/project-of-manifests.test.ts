import { describe, expect, it } from "vitest";

import { readCrds } from "../../packages/generators/src/importer/crd-facts.ts";
import { projectOfManifests } from "../../src/go-project/project-of-manifests.ts";

function projectOf(groups: readonly string[], goMod?: string): ReturnType<typeof projectOfManifests> {
  const crds = groups.flatMap((group) =>
    readCrds(
      [
        {
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "CustomResourceDefinition",
          spec: {
            group,
            names: { kind: "Boat" },
            versions: ["v1", "v2"].map((name) => ({ name, schema: { openAPIV3Schema: { type: "object" } } })),
          },
        },
      ],
      `config/crd/bases/${group}_boats.yaml`,
    ),
  );
  const paths = crds.map(({ source }) => source);
  return projectOfManifests({ folder: "go", paths, read: (path) => (path === "go.mod" ? goMod : undefined) }, crds);
}

describe("a Go project without a PROJECT file", () => {
  it("has the APIs of its CRDs, one for each version, and the module of go.mod", () => {
    const found = projectOf(["sea.io"], "module example.com/boats\n\ngo 1.26\n");
    expect(found?.project).toEqual({
      version: "3",
      layout: ["go.kubebuilder.io/v4"],
      domain: "sea.io",
      repo: "example.com/boats",
      resources: ["v1", "v2"].map((version) => ({ domain: "sea.io", kind: "Boat", version })),
    });
    expect(found?.readFrom.map(({ from }) => from)).toEqual(["config/crd/bases/", "go.mod"]);
  });

  it.each([
    [["crew.sea.io", "ship.sea.io"], "sea.io", ["crew", "ship"]],
    [["sea.io", "ship.sea.io"], "io", ["sea", "ship.sea"]],
    [["sea.io", "lake.org"], "", ["sea.io", "lake.org"]],
  ])("has the longest domain that its groups end with: %j", (groups, domain, names) => {
    const project = projectOf(groups)?.project;
    expect(project).toMatchObject({ domain, multigroup: true });
    expect([...new Set(project?.resources?.map(({ group }) => group))]).toEqual(names);
  });

  it("is not a project without CRDs", () => {
    expect(projectOf([])).toBeUndefined();
  });
});
