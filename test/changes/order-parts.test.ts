import { describe, expect, it } from "vitest";

import { orderParts, type PlacedPart } from "../../src/changes/regenerate.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";

const resource = (kind: string): { kind: string; version: string } => ({ kind, version: "v1" });
const A = resource("A");
const B = resource("B");

function tree(text: string): FileTree {
  return new FileTree({ read: (path) => (path === "main.ts" ? text : undefined) });
}

function controller(of: typeof A, line: string): PlacedPart {
  const fragments = [{ path: "main.ts", marker: "builder", lines: [line] }];
  return { part: { kind: "controller", resource: of, name: of.kind.toLowerCase() }, fragments };
}

describe("orderParts", () => {
  it("puts parts into the order of their lines, whatever a formatter did to them", () => {
    const [a, b] = [controller(A, 'use("a");'), controller(B, 'use("b");')];
    expect(orderParts([a, b], tree("  use('b')\n  use('a')\n"))).toEqual([b.part, a.part]);
  });

  it("keeps init first, and types before what uses them", () => {
    const types: PlacedPart = { part: { kind: "types", resource: A }, fragments: [] };
    const a = controller(A, 'use("a");');
    const init: PlacedPart = { part: { kind: "init" }, fragments: [] };
    expect(orderParts([a, types, init], tree("use('a')"))).toEqual([init.part, types.part, a.part]);
  });

  it("learns nothing from lines that several parts share, or that are gone", () => {
    const [a, b] = [controller(A, "same"), controller(B, "same")];
    expect(orderParts([a, b], tree("same\n"))).toEqual([a.part, b.part]);
    expect(orderParts([b, a], tree(""))).toEqual([b.part, a.part]);
  });

  it("falls back to the order given where lines contradict each other", () => {
    const both = (of: typeof A, first: string, second: string): PlacedPart => ({
      part: { kind: "webhook", resource: of },
      fragments: [
        { path: "main.ts", marker: "imports", lines: [first] },
        { path: "main.ts", marker: "builder", lines: [second] },
      ],
    });
    const [a, b] = [both(A, "one", "four"), both(B, "two", "three")];
    expect(orderParts([a, b], tree("one\ntwo\nthree\nfour\n"))).toEqual([a.part, b.part]);
  });
});
