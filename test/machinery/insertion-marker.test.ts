import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { containsLines, hasMarker, insertAtMarker } from "../../src/machinery/insertion-points.ts";

const FRAGMENT = { path: "cmd/main.ts", marker: "builder", lines: ["await setup(mgr);"] };

describe("inserting at a marker", () => {
  it("puts the lines above it, with its indentation", () => {
    const content = "function main() {\n  // +kubebuilder:scaffold:builder\n}\n";
    expect(insertAtMarker(content, FRAGMENT)).toBe(
      "function main() {\n  await setup(mgr);\n  // +kubebuilder:scaffold:builder\n}\n",
    );
  });

  it.each([
    ["no space after the sign", "//+kubebuilder:scaffold:builder"],
    ["many spaces and a tab", "\t//   + kubebuilder:scaffold:builder   "],
    ["a block comment", "  /* +kubebuilder:scaffold:builder */"],
    ["a line of a block comment", "   * +kubebuilder:scaffold:builder"],
    ["a hash", "# +kubebuilder:scaffold:builder"],
    ["an HTML comment", "<!-- +kubebuilder:scaffold:builder -->"],
  ])("finds the marker in %s", (_, line) => {
    expect(hasMarker(`a\n${line}\nb\n`, "builder")).toBe(true);
    expect(insertAtMarker(`a\n${line}\nb\n`, FRAGMENT)).toContain(`await setup(mgr);\n${line}\n`);
  });

  it.each([
    ["a longer name", "// +kubebuilder:scaffold:builders"],
    ["prose", "// the marker +kubebuilder:scaffold:builder is below"],
    ["code", "const marker = '+kubebuilder:scaffold:builder';"],
  ])("does not take %s for the marker", (_, line) => {
    expect(hasMarker(line, "builder")).toBe(false);
  });

  it("keeps the line ends of a file", () => {
    expect(insertAtMarker("a\r\n// +kubebuilder:scaffold:builder\r\n", FRAGMENT)).toBe(
      "a\r\nawait setup(mgr);\r\n// +kubebuilder:scaffold:builder\r\n",
    );
  });

  it("says exactly what to put where when the marker is gone", () => {
    expect(() => insertAtMarker("function main() {}\n", FRAGMENT)).toThrow(
      expect.objectContaining({
        code: "SCAFFOLD_MARKER_MISSING",
        message:
          "cannot insert into cmd/main.ts: the insertion marker `// +kubebuilder:scaffold:builder` is not in the file",
        hint: expect.stringContaining("    await setup(mgr);\n    // +kubebuilder:scaffold:builder"),
      }),
    );
    expect(() => insertAtMarker("", { ...FRAGMENT, path: "config/crd/kustomization.yaml" })).toThrow(
      "`# +kubebuilder:scaffold:builder`",
    );
  });

  it("inserts nothing twice, whatever was inserted in between", () => {
    const line = fc.stringMatching(/^[a-z]{3,12}\([a-z]{0,5}\);$/u);
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(line, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        (groups) => {
          const insertAll = (content: string): string =>
            groups.reduce((text, lines) => insertAtMarker(text, { ...FRAGMENT, lines }), content);
          const once = insertAll("// +kubebuilder:scaffold:builder\n");
          expect(insertAll(once)).toBe(once);
        },
      ),
    );
  });

  it.each([
    ["other quotes and no semicolon", ["import { A } from './a.ts'"]],
    ["other indentation", ['      import { A } from "./a.ts";']],
    ["broken over several lines", ["import {", "  A,", '} from "./a.ts";']],
  ])("recognizes lines that a formatter has given %s", (_, present) => {
    expect(containsLines(`x\n${present.join("\n")}\ny\n`, ['import { A } from "./a.ts";'])).toBe(true);
  });

  it("does not take a part of a longer entry for the entry", () => {
    expect(containsLines("- webapp_v1_guestbook.yaml\n", ["- v1_guestbook.yaml"])).toBe(false);
    expect(containsLines("resources:\n- ../crds\n", ["- ../crd"])).toBe(false);
  });
});
