import { describe, expect, it } from "vitest";

import type { ProjectConfig } from "../../src/project/project-config.ts";
import { requireOneGroup, withTypesPaths } from "../../src/project/resource-names.ts";

const PROJECT: ProjectConfig = {
  layout: [],
  version: "3",
  repo: "acme",
  resources: [
    { group: "crew", kind: "Captain", version: "v1", api: {}, path: "acme/api/v1" },
    { group: "apps", kind: "Deployment", version: "v1", core: true, path: "@kubescaffold/k8s/apps/v1" },
  ],
};

describe("the folders of groups", () => {
  it("are in the paths of the project's own types, when it has them", () => {
    const paths = (project: ProjectConfig): readonly unknown[] => (project.resources ?? []).map((each) => each.path);
    const several = withTypesPaths({ ...PROJECT, multigroup: true });
    expect(paths(several)).toEqual(["acme/api/crew/v1", "@kubescaffold/k8s/apps/v1"]);
    expect(paths(withTypesPaths({ ...several, multigroup: false }))).toEqual(paths(PROJECT));
  });

  it("are needed by more than one group of the project's own", () => {
    const second = { group: "fleet", kind: "Ship", version: "v1", api: {} };
    const project = { ...PROJECT, resources: [...(PROJECT.resources ?? []), second] };
    expect(() => requireOneGroup(PROJECT)).not.toThrow();
    expect(() => requireOneGroup({ ...project, multigroup: true })).not.toThrow();
    expect(() => requireOneGroup(project)).toThrow("cannot disable multigroup: the project has the groups crew, fleet");
  });
});
