import { expect, it } from "vitest";

import { rbacGenerator } from "../../src/rbac/generate-rbac.ts";
import { generatorInput } from "../support/generator-input.ts";

const CONTROLLER = "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\nexport class Reconciler {}\n";

it.each([
  [{ roleName: "r" }, "role.yaml"],
  [{ roleName: "r", fileName: "other.yaml" }, "other.yaml"],
])("writes with %j the file %s", async (options, name) => {
  const { artifacts } = rbacGenerator(await generatorInput({ "internal/a.ts": CONTROLLER }, options));
  expect(artifacts.map((each) => [each.kind, each.name])).toEqual([["config", name]]);
  expect(artifacts[0]?.content).toContain("  name: r\n");
});
