import { describe, expect, it } from "vitest";

import { findLines } from "../../src/machinery/insertion-points.ts";

describe("finding lines", () => {
  it("finds each place, whatever the indentation, quotes and signs at line ends", () => {
    expect(findLines(["  use('a')", "b", 'use("a");', "b;"], ['use("a");', "b;"])).toEqual([
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ]);
  });

  it("finds code whose lines a formatter has broken or joined", () => {
    const broken = ["before();", "await new A(", "  mgr.getClient(),", ").setupWithManager(mgr);", "after();"];
    expect(findLines(broken, ["await new A(mgr.getClient()).setupWithManager(mgr);"])).toEqual([{ start: 1, end: 4 }]);
    expect(findLines(["if (x) { use(); }"], ["if (x) {", "  use();", "}"])).toEqual([{ start: 0, end: 1 }]);
  });

  it("finds no entry of a list inside a longer one, and nothing for no lines", () => {
    expect(findLines(["- a.yaml", "- b.yaml.old"], ["- b.yaml"])).toEqual([]);
    expect(findLines(["a"], [])).toEqual([]);
  });
});
