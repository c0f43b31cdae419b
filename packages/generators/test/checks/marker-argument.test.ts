import { describe, expect, it } from "vitest";

import { findArgument, placeOfEntry } from "../../src/checks/marker-argument.ts";

describe("the value of a marker", () => {
  it.each([
    ["+kubebuilder:default=5", undefined, "5"],
    ["+kubebuilder:default:= {a: b}", undefined, "{a: b}"],
    ["+kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size", "type", "integer"],
    ["+kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size", "name", "Size"],
    ['+kubebuilder:validation:XValidation:rule=`a, message=b`,message="c, rule=d"', "message", '"c, rule=d"'],
    ['+kubebuilder:validation:XValidation:rule=`a, message=b`,message="c, rule=d"', "rule", "`a, message=b`"],
    ["+kubebuilder:validation:XValidation:rule=self == 'a',message=it's", "message", "it's"],
    ["+kubebuilder:resource:categories={all,mine},shortName=a;b", "shortName", "a;b"],
    ['+x:rule="say \\"a, b\\"",message=m', "message", "m"],
  ])("of %s, argument %s, is found", (text, argument, expected) => {
    const span = findArgument(text, argument);
    expect(text.slice(span?.offset, (span?.offset ?? 0) + (span?.length ?? 0))).toBe(expected);
  });

  it("is not found where there is none", () => {
    expect(findArgument("+kubebuilder:skip")).toBeUndefined();
    expect(findArgument("+x:a=1", "b")).toBeUndefined();
  });

  it("leads to an entry of a list, or to all of it when the entry is written otherwise", () => {
    const location = { file: "a.ts", line: 3, column: 4, length: 30 };
    const comment = { text: "+x:names={one,two}", isAdjacent: true, location };
    expect(placeOfEntry(comment, "names", "two")).toEqual({ ...location, column: 4 + 14, length: 3 });
    expect(placeOfEntry(comment, "names", "three")).toEqual({ ...location, column: 4 + 9, length: 9 });
  });
});
