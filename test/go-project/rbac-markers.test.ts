import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { normalizeRules, type RbacRule } from "../../packages/generators/src/rbac/normalize-rules.ts";
import { planRbacMarkers } from "../../src/go-project/rbac-markers.ts";
import type { ProjectConfig } from "../../src/project/project-config.ts";

const PROJECT: ProjectConfig = {
  layout: [],
  version: "3",
  resources: ["Boat", "Sail"].map((kind) => ({ kind, group: "g", domain: "io", version: "v1", controller: true })),
};

const some = (values: readonly string[], minLength = 1): fc.Arbitrary<readonly string[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength, maxLength: 3 });

const rule: fc.Arbitrary<RbacRule> = fc.record({
  groups: some(["", "g.io", "h.io"]),
  resources: some(["boats", "boats/status", "sails", "pods"]),
  resourceNames: fc.oneof(fc.constant([]), some(["a", "b"])),
  urls: fc.constant([]),
  verbs: some(["get", "list", "update"]),
});

function readMarker(marker: string): readonly RbacRule[] {
  const args = new Map(
    marker
      .replace("+kubebuilder:rbac:", "")
      .split(",")
      .map((each) => each.split("=") as [string, string]),
  );
  const list = (name: string): readonly string[] =>
    args
      .get(name)
      ?.split(";")
      .map((value) => (value === '""' ? "" : value)) ?? [];
  const read = { groups: list("groups"), resourceNames: list("resourceNames"), urls: [], verbs: list("verbs") };
  return list("resources").map((resource) => ({ ...read, resources: [resource] }));
}

function perResource(rules: readonly RbacRule[]): readonly RbacRule[] {
  return rules.flatMap((each) => each.resources.map((name) => ({ ...each, resources: [name] })));
}

// Each verb on each resource of each group, under each name.
function permissionsOf(rules: readonly RbacRule[]): readonly string[] {
  const all = rules.flatMap(({ groups, resources, resourceNames, verbs }) =>
    groups.flatMap((group) =>
      resources.flatMap((resource) =>
        (resourceNames.length === 0 ? ["*"] : resourceNames).flatMap((name) =>
          verbs.map((verb) => [group, resource, name, verb].join(" ")),
        ),
      ),
    ),
  );
  return [...new Set(all)].toSorted();
}

describe("planRbacMarkers", () => {
  it("gives markers that allow the same, and make the very rules if these make themselves", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
        const normal = normalizeRules(perResource(rules));
        const role = {
          name: "manager-role",
          namespace: "",
          rules: normal.map(({ groups, resources, resourceNames, verbs }) => ({
            apiGroups: groups,
            resources,
            resourceNames,
            verbs,
          })),
        };
        const markers = planRbacMarkers([role], PROJECT);
        const all = [...(PROJECT.resources ?? []).flatMap((resource) => markers.of(resource)), ...markers.others];
        const read = all.flatMap((marker) => readMarker(marker));
        expect(permissionsOf(read)).toEqual(permissionsOf(normal));
        const isOwnResult = JSON.stringify(normalizeRules(perResource(normal))) === JSON.stringify(normal);
        expect(isOwnResult ? normalizeRules(read) : normal).toEqual(normal);
      }),
      { numRuns: 300 },
    );
  });

  it("names the namespace of a Role, and its name where it is not the usual one", () => {
    const role = {
      name: "pilot",
      namespace: "north",
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    };
    expect(planRbacMarkers([role], PROJECT).others).toEqual([
      '+kubebuilder:rbac:groups="",namespace=north,resources=pods,verbs=get,roleName=pilot',
    ]);
  });
});
