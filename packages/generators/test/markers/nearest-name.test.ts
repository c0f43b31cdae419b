import { expect, it } from "vitest";

import { nearestMarkerName } from "../../src/markers/nearest-name.ts";

const NAMES = ["optional", "nullable", "kubebuilder:validation:Minimum", "kubebuilder:validation:Maximum"];

it.each([
  ["optinal", "optional"],
  ["Optional", "optional"],
  ["nullabel", "nullable"],
  ["kubebuilder:validation:Minimun", "kubebuilder:validation:Minimum"],
  ["something", undefined],
])("the nearest name to %s is %s", (given, nearest) => {
  expect(nearestMarkerName(given, NAMES)).toBe(nearest);
});
