import { describe, expect, it } from "vitest";

import { keywordMarkers } from "../../src/importer/keyword-markers.ts";

const TEXT = { type: "string" };
const LIST = { type: "array" };

describe("keywords", () => {
  it("become markers above a property", () => {
    const keywords = { minLength: 1, pattern: "^a", title: "A", default: "a", example: "b" };
    expect(keywordMarkers(keywords, { subject: TEXT, place: "field" })).toEqual({
      markers: [
        "+kubebuilder:validation:MinLength=1",
        '+kubebuilder:validation:Pattern="^a"',
        "+kubebuilder:title=A",
        "+kubebuilder:default=a",
        "+kubebuilder:example=b",
      ],
      left: {},
    });
  });

  it("that belong to properties are left above a type", () => {
    const { left } = keywordMarkers({ default: "a", example: "b", title: "A" }, { subject: TEXT, place: "type" });
    expect(left).toEqual({ default: "a", example: "b" });
  });

  it("of items have their own markers, as far as there are any", () => {
    const keywords = { maxLength: 3, title: "A", "x-kubernetes-map-type": "atomic" };
    expect(keywordMarkers(keywords, { subject: TEXT, place: "items" })).toEqual({
      markers: ["+kubebuilder:validation:items:MaxLength=3"],
      left: { title: "A", "x-kubernetes-map-type": "atomic" },
    });
  });

  it("that do not fit the type are left", () => {
    const { left } = keywordMarkers({ maxItems: 3, minimum: 1, maxLength: 2 }, { subject: LIST, place: "field" });
    expect(left).toEqual({ minimum: 1, maxLength: 2 });
    const fraction = keywordMarkers({ minimum: 0.5 }, { subject: { type: "integer" }, place: "field" });
    expect(fraction.left).toEqual({ minimum: 0.5 });
  });

  it("of a list of type map follow the one that says so", () => {
    const keywords = { "x-kubernetes-list-map-keys": ["a", "b"], "x-kubernetes-list-type": "map" };
    expect(keywordMarkers(keywords, { subject: LIST, place: "field" }).markers).toEqual([
      "+listType=map",
      "+listMapKey=a",
      "+listMapKey=b",
    ]);
    const set = { ...keywords, "x-kubernetes-list-type": "set" };
    expect(keywordMarkers(set, { subject: LIST, place: "field" }).left).toEqual({
      "x-kubernetes-list-map-keys": ["a", "b"],
    });
  });

  it("of rules are left as a whole when one rule has no marker", () => {
    const rules = [{ rule: "true" }, { rule: "true", reason: "Other" }];
    const keywords = { "x-kubernetes-validations": rules };
    expect(keywordMarkers(keywords, { subject: TEXT, place: "field" })).toEqual({ markers: [], left: keywords });
  });

  it("say defaults in JSON where the short form would mean something else", () => {
    expect(keywordMarkers({ default: {} }, { subject: LIST, place: "field" }).markers).toEqual(["+default={}"]);
    expect(keywordMarkers({ default: [] }, { subject: LIST, place: "field" }).markers).toEqual(["+default=[]"]);
  });
});
