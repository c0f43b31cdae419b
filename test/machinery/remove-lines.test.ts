import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { removeLines } from "../../src/changes/plan-removal.ts";
import { insertAtMarker } from "../../src/machinery/insertion-points.ts";

const MAIN = "a();\n  b();\n  // +kubebuilder:scaffold:builder\nend();\n";

describe("taking lines out at an insertion marker", () => {
  it("is the inverse of inserting them", () => {
    const word = fc.stringMatching(/^[a-z]{1,4}\(\);$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.boolean(), (lines, isDos) => {
        const before = isDos ? MAIN.replaceAll("\n", "\r\n") : MAIN;
        const inserted = insertAtMarker(before, { path: "x.ts", marker: "builder", lines });
        fc.pre(inserted !== before);
        expect(removeLines(inserted, { marker: "builder", lines })).toBe(before);
      }),
    );
  });

  it("does not mind quotes, indentation and signs at line ends", () => {
    const text = "import { A } from './a'\n// +kubebuilder:scaffold:imports\n";
    expect(removeLines(text, { marker: "imports", lines: ['import { A } from "./a";'] })).toBe(
      "// +kubebuilder:scaffold:imports\n",
    );
  });

  it("takes out what was broken, since it is longer than lines may be", () => {
    const lines = [`await new ${"Long".repeat(25)}(mgr.getClient()).setupWithManager(mgr);`];
    const inserted = insertAtMarker(MAIN, { path: "x.ts", marker: "builder", lines });
    expect(inserted.split("\n").length).toBeGreaterThan(MAIN.split("\n").length + 1);
    expect(removeLines(inserted, { marker: "builder", lines })).toBe(MAIN);
  });

  it("takes the group nearest to the marker, and nothing when there is none", () => {
    const text = "x();\ny();\nx();\n// +kubebuilder:scaffold:builder\n";
    expect(removeLines(text, { marker: "builder", lines: ["x();"] })).toBe(
      "x();\ny();\n// +kubebuilder:scaffold:builder\n",
    );
    expect(removeLines(text, { marker: "builder", lines: ["z();"] })).toBeUndefined();
  });
});
