import { describe, expect, it } from "vitest";

import { parseSelection } from "../../src/resources/selection.ts";

const REQUIREMENTS = 20_000;

function selectionOf(query: Readonly<Record<string, string>>, read: () => string) {
  const strategy = { selectableFields: new Map([["spec.host", read]]), hasOwnFieldSelectors: true };
  return parseSelection(new URLSearchParams(query), { isNamespaced: true, strategy: () => strategy });
}

describe("a selection of 20,000 requirements", () => {
  it("reads the labels of an object a few times", () => {
    const labelSelector = Array.from({ length: REQUIREMENTS }, (_, index) => `!k${String(index)}`).join(",");
    let reads = 0;
    const labels = new Proxy<Record<string, string>>(
      { app: "web" },
      {
        getOwnPropertyDescriptor: (target, name) => {
          reads += 1;
          return Reflect.getOwnPropertyDescriptor(target, name);
        },
      },
    );
    const { matches } = selectionOf({ labelSelector }, () => "");
    expect(matches({ apiVersion: "v1", kind: "Foo", metadata: { name: "a", labels } })).toBe(true);
    expect(reads).toBeLessThan(10);
  });

  it("reads a field of an object once", () => {
    const fieldSelector = Array.from({ length: REQUIREMENTS }, (_, index) => `spec.host!=h${String(index)}`).join(",");
    let reads = 0;
    const { matches } = selectionOf({ fieldSelector }, () => {
      reads += 1;
      return "web";
    });
    expect(matches({ apiVersion: "v1", kind: "Foo", metadata: { name: "a" } })).toBe(true);
    expect(reads).toBe(1);
  });
});
