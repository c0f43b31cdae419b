import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatPointer, parsePointer } from "../../src/json/json-pointer.ts";

describe("JSON pointers", () => {
  it("escape slashes and tildes", () => {
    expect(formatPointer(["metadata", "annotations", "a/b~c"])).toBe("/metadata/annotations/a~1b~0c");
    expect(parsePointer("/a~1b/~01")).toEqual(["a/b", "~1"]);
  });

  it("name the whole document with the empty text", () => {
    expect(parsePointer("")).toEqual([]);
    expect(formatPointer([])).toBe("");
  });

  it("come back as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
    );
  });
});
