import { describe, expect, it } from "vitest";

import { disableBlock, enableBlock } from "../../src/machinery/insertion-points.ts";

const BLOCK = {
  path: "config/default/kustomization.yaml",
  lines: ["- path: a.yaml", "  target:", "    kind: Deployment"],
};

describe("switching on a block", () => {
  it("takes its comment signs and leaves the rest alone", () => {
    const content = "patches:\n# Prose about it.\n#- path: a.yaml\n#  target:\n#    kind: Deployment\n# More prose.\n";
    expect(enableBlock(content, BLOCK)).toBe(
      "patches:\n# Prose about it.\n- path: a.yaml\n  target:\n    kind: Deployment\n# More prose.\n",
    );
  });

  it.each([
    ["a space after each sign", "# - path: a.yaml\n#   target:\n#     kind: Deployment\n"],
    ["indented signs", "- a.yaml\n  #- path: a.yaml\n  #  target:\n  #    kind: Deployment\n"],
    ["empty lines in between", "#- path: a.yaml\n\n#  target:\n#\n#    kind: Deployment\n"],
    ["a comment at the end of a line", "#- path: a.yaml # ours\n#  target:\n#    kind: Deployment\n"],
  ])("finds it with %s", (_, content) => {
    const lines = enableBlock(content, BLOCK)
      .split("\n")
      .filter((line) => /^[ -]*\w/u.test(line) && line !== "- a.yaml");
    expect(lines.map((line) => line.replace(" # ours", ""))).toEqual(BLOCK.lines);
  });

  it("leaves a block alone that is on already", () => {
    const content = "- path: a.yaml\n  target:\n    kind: Deployment # mine\n";
    expect(enableBlock(content, BLOCK)).toBe(content);
  });

  it("keeps what was written behind a line", () => {
    expect(enableBlock("#- path: a.yaml # why\n#  target:\n#    kind: Deployment\n", BLOCK)).toContain(
      "- path: a.yaml # why\n",
    );
  });

  it("says which lines belong into the file when they are gone", () => {
    expect(() => enableBlock("patches: []\n", BLOCK)).toThrow(
      expect.objectContaining({
        code: "SCAFFOLD_MARKER_MISSING",
        hint: expect.stringContaining("    - path: a.yaml\n      target:\n        kind: Deployment"),
      }),
    );
  });
});

describe("switching a block off", () => {
  const TEXT = "a:\n#- b\n#  c: d\n\n#  e: f\n- g\n";
  const BLOCK = { path: "k.yaml", lines: ["- b", "  c: d", "  e: f"] };

  it("is the inverse of switching it on", () => {
    const on = enableBlock(TEXT, BLOCK);
    expect(on).toBe("a:\n- b\n  c: d\n\n  e: f\n- g\n");
    expect(disableBlock(on, BLOCK)).toBe(TEXT);
  });

  it("finds nothing where it is off or gone", () => {
    expect(disableBlock(TEXT, BLOCK)).toBeUndefined();
    expect(disableBlock("a:\n", BLOCK)).toBeUndefined();
  });
});
