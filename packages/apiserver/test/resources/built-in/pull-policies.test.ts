import { expect, it } from "vitest";

import { setPodSpecDefaults } from "../../../src/resources/built-in/rules/pod-spec-defaults.ts";

function policyOf(image: string): unknown {
  const container: Record<string, unknown> = { name: "a", image };
  setPodSpecDefaults({ containers: [container] });
  return container["imagePullPolicy"];
}

// As kube-apiserver 1.35.4 answers.
it.each([
  ["x".repeat(247), "Always"],
  ["x".repeat(248), "IfNotPresent"],
  [`docker.io/${"x".repeat(247)}`, "Always"],
  [`docker.io/${"x".repeat(248)}`, "IfNotPresent"],
  [`a.b/${"x".repeat(255)}`, "Always"],
  [`a.b/${"x".repeat(256)}`, "IfNotPresent"],
  [`y/${"x".repeat(253)}`, "Always"],
  [`y/${"x".repeat(254)}`, "IfNotPresent"],
  [`${"x".repeat(247)}:latest`, "Always"],
  [`localhost:5000/${"x".repeat(256)}`, "IfNotPresent"],
])("an image with a path that is too long has no latest tag: %#", (image, expected) => {
  expect(policyOf(image)).toBe(expected);
});
