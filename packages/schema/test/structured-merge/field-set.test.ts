import { describe, expect, it } from "vitest";

import {
  differenceOf,
  fieldSetOf,
  intersectionOf,
  pathsOf,
  printFieldSet,
  unionOf,
  withoutBelow,
} from "../../src/structured-merge/field-set.ts";

const A = { "f:spec": { "f:size": {}, "f:labels": { ".": {}, "f:a": {} } } };
const B = { "f:spec": { "f:labels": { "f:a": {}, "f:b": {} } } };

describe("a set of fields", () => {
  it("reads and prints what managedFields holds, fields before elements", () => {
    const printed = { "f:spec": { ".": {}, "f:b": {}, 'k:{"name":"x"}': { ".": {}, "f:a": {} }, 'v:"y"': {} } };
    const shuffled = { "f:spec": { 'v:"y"': {}, 'k:{"name":"x"}': { "f:a": {}, ".": {} }, "f:b": {}, ".": {} } };
    expect(JSON.stringify(printFieldSet(fieldSetOf(shuffled)))).toBe(JSON.stringify(printed));
  });

  it.each([
    ["union", unionOf, { "f:spec": { "f:size": {}, "f:labels": { ".": {}, "f:a": {}, "f:b": {} } } }],
    ["difference", differenceOf, { "f:spec": { "f:size": {}, "f:labels": {} } }],
    ["intersection", intersectionOf, { "f:spec": { "f:labels": { "f:a": {} } } }],
  ])("has a %s with another", (_name, combine, expected) => {
    expect(printFieldSet(combine(fieldSetOf(A), fieldSetOf(B)))).toEqual(expected);
  });

  it("loses a field together with what is below it", () => {
    const kept = withoutBelow(fieldSetOf(A), fieldSetOf({ "f:spec": { "f:labels": {} } }));
    expect(printFieldSet(kept)).toEqual({ "f:spec": { "f:size": {} } });
  });

  it("lists its paths in order, at each level before what is below it", () => {
    expect(pathsOf(fieldSetOf(A))).toEqual([
      ["f:spec", "f:labels"],
      ["f:spec", "f:size"],
      ["f:spec", "f:labels", "f:a"],
    ]);
  });
});
