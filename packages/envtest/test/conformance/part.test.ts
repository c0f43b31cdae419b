import { describe, expect, it } from "vitest";

import { rowsOfPart } from "./part.ts";
import { ALL_ROWS } from "./rows/all-rows.ts";

describe("the parts of the rows", () => {
  it("have each row once", () => {
    const parts = Array.from({ length: 7 }, (_, index) => rowsOfPart(ALL_ROWS, `${String(index + 1)}/7`));
    expect(parts.flat().toSorted((left, right) => left.row - right.row)).toEqual(ALL_ROWS);
  });

  it("are all rows without a part", () => {
    expect(rowsOfPart(ALL_ROWS, "")).toEqual(ALL_ROWS);
  });

  it.each(["0/7", "8/7", "7", "1/0", "x/7", "-1/7"])("are not named by %s", (part) => {
    expect(() => rowsOfPart(ALL_ROWS, part)).toThrow(`CONFORMANCE_PART is ${JSON.stringify(part)}`);
  });
});
