import { expect, it } from "vitest";

import { placeInArgument } from "../../src/checks/cel-check.ts";

const LOCATION = { file: "a.ts", line: 1, column: 1, length: 99 };

it.each([
  ["backticks", "+x:rule=`self.a == slef`", "self.a == slef", 1, 11, "slef"],
  ["no quotes", "+x:rule=self > 1,message=m", "self > 1", 1, 6, ">"],
  ["escaped quotes", '+x:rule="self == \\"a\\" || slef"', 'self == "a" || slef', 1, 16, "slef"],
  ["an escaped line break", '+x:rule="self > 1 &&\\nslef > 2"', "self > 1 &&\nslef > 2", 2, 1, "slef"],
  ["characters beyond the basic plane", "+x:rule=`'😀' == slef`", "'😀' == slef", 1, 8, "slef"],
  ["escapes that make one character", "+x:rule=\"'\\u00e9' == slef\"", "'é' == slef", 1, 8, "slef"],
])("a place in a rule with %s is found in its marker", (_, text, value, line, column, expected) => {
  const place = placeInArgument(
    { text, isAdjacent: true, location: LOCATION },
    { argument: "rule", value, line, column },
  );
  expect(text.slice((place?.column ?? 0) - 1, (place?.column ?? 0) - 1 + (place?.length ?? 0))).toBe(expected);
});

it("a place beyond the end is the end, and that of an argument that is not there is none", () => {
  const comment = { text: "+x:rule=`a`", isAdjacent: true, location: LOCATION };
  const end = placeInArgument(comment, { argument: "rule", value: "a", line: 1, column: 9 });
  expect(end).toMatchObject({ column: "+x:rule=`a`".length, length: 1 });
  expect(placeInArgument(comment, { argument: "message", value: "a", line: 1, column: 1 })).toBeUndefined();
});
