import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { duplicateKeys, keyOrder } from "../../src/request/body.ts";

const find = (text: string): readonly string[] => duplicateKeys(text, JSON.parse(text));

describe("duplicateKeys", () => {
  it("finds fields stated twice at any depth", () => {
    expect(find('{"a":1,"a":2}')).toEqual(["a"]);
    expect(find('{ "spec" : { "l" : [ {"x":1}, {"x":1, "x" :2} ], "l2":1 }, "spec2": "a" }')).toEqual(["spec.l[1].x"]);
  });

  it("is not misled by texts that look like fields", () => {
    expect(find(String.raw`{"a":"\"b\":1, \"b\":2","c":"{\"a\":1}\\"}`)).toEqual([]);
  });

  it("finds nothing in what a printer has written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(find(JSON.stringify(value))).toEqual([]);
        expect(find(JSON.stringify(value, undefined, 2))).toEqual([]);
      }),
    );
  });

  it("tells the order of all fields", () => {
    expect(keyOrder('{"b":{"z":1},"a":[{"c":1}],"b":2}')).toEqual(["b", "b.z", "a", "a[0].c", "b"]);
  });
});
