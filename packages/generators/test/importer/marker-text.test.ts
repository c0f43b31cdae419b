import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { markerText } from "../../src/importer/marker-text.ts";
import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";

describe("the text of a marker", () => {
  it.each([
    ["nullable", true, "+nullable"],
    ["listType", "map", "+listType=map"],
    ["kubebuilder:validation:Minimum", -1.5, "+kubebuilder:validation:Minimum=-1.5"],
    ["kubebuilder:validation:Pattern", "^\\d+$", "+kubebuilder:validation:Pattern=`^\\d+$`"],
    ["kubebuilder:validation:Pattern", "^[a-z]*\\/$", '+kubebuilder:validation:Pattern="^[a-z]*\\\\/$"'],
    ["kubebuilder:default", "true", '+kubebuilder:default="true"'],
    ["kubebuilder:default", ["a", "b c"], '+kubebuilder:default={a,"b c"}'],
    ["default", { a: [1] }, '+default={"a":[1]}'],
    [
      "kubebuilder:validation:XValidation",
      { rule: "self != ''", message: "a, b" },
      '+kubebuilder:validation:XValidation:rule="self != \'\'",message="a, b"',
    ],
  ])("of %s for %j is short and plain", (name, value, text) => expect(markerText(name, value)).toBe(text));

  it.each([
    ["kubebuilder:default", { a: 1 }],
    ["kubebuilder:default", null],
    ["kubebuilder:validation:MinLength", 1.5],
    ["kubebuilder:validation:MinLength", "3"],
    ["nullable", false],
    ["made:up", true],
    ["kubebuilder:externalDocs", { description: "no url" }],
  ])("is nothing where %s cannot say %j", (name, value) => expect(markerText(name, value)).toBeUndefined());

  it("is read as the value it was made for, whatever that is", () => {
    const names = ["kubebuilder:default", "default", "kubescaffold:schema", "kubebuilder:validation:Pattern"] as const;
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        const text = markerText(name, value);
        if (text === undefined) return;
        const parsed = parseMarker(text, CATALOGUE);
        expect(JSON.stringify(parsed.kind === "marker" ? parsed.value : parsed)).toBe(JSON.stringify(value));
      }),
    );
  });
});
