import { expect, it } from "vitest";

import { isScalePath } from "../../src/definition-paths/scale-path.ts";

it.each([
  ["specReplicasPath", ".spec.replicas", true],
  ["specReplicasPath", ".status.replicas", false],
  ["specReplicasPath", ".spec", false],
  ["specReplicasPath", ".spec.sets[0]", false],
  ["statusReplicasPath", ".status.replicas", true],
  ["statusReplicasPath", ".spec.replicas", false],
  ["labelSelectorPath", ".spec.selector", true],
  ["labelSelectorPath", ".status.selector", true],
  ["labelSelectorPath", ".metadata.labels", false],
] as const)("%s may be %s: %s", (name, path, expected) => {
  expect(isScalePath(name, path)).toBe(expected);
});
