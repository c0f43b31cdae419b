import { expect, it } from "vitest";

import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { meantName } from "../../src/markers/read-markers.ts";

it.each([
  ["kubebuilder:validation:Minimun", "kubebuilder:validation:Minimum"],
  ["kubebuilder:validation:optional", "kubebuilder:validation:Optional"],
  ["kubebuilder:print-column:name", "kubebuilder:printcolumn"],
  ["kubebuilder:subresources:status", "kubebuilder:subresource:status"],
  ["kubebuilder:validation:Nullable", "nullable"],
  ["kubebuilder:validation:OneOf", "kubebuilder:validation:ExactlyOneOf"],
  ["kubebuilder:validation:XEmbedded", "kubebuilder:validation:XEmbeddedResource"],
  ["kubebuilder:validation:ListType", "listType"],
  ["kubebuilder:conversion", undefined],
  ["k8s:customValidation", undefined],
])("who writes %s means %s", (written, meant) => {
  expect(meantName(written)).toBe(meant);
});

it("every marker means itself", () => {
  expect([...CATALOGUE.keys()].filter((name) => meantName(name) !== name)).toEqual([]);
});
