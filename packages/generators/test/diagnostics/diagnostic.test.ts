import { describe, expect, it } from "vitest";

import {
  hasErrors,
  renderDiagnostic,
  renderDiagnostics,
  sortDiagnostics,
  type Diagnostic,
} from "../../src/diagnostics/diagnostic.ts";

const finding: Diagnostic = {
  severity: "error",
  code: "MARKER_BAD_ARGUMENT",
  message: '+kubebuilder:validation:Minimum expects a number, found "one"',
  file: "api/v1/guestbook_types.ts",
  line: 14,
  column: 5,
  length: 35,
  hint: "write +kubebuilder:validation:Minimum=<a number>",
  sourceLine: "/** +kubebuilder:validation:Minimum=one */",
};

describe("a diagnostic", () => {
  it("is printed with its place, its line, a caret and the fix", () => {
    expect(renderDiagnostic(finding)).toBe(
      [
        'api/v1/guestbook_types.ts:14:5 - error MARKER_BAD_ARGUMENT: +kubebuilder:validation:Minimum expects a number, found "one"',
        "  /** +kubebuilder:validation:Minimum=one */",
        "      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "  hint: write +kubebuilder:validation:Minimum=<a number>",
      ].join("\n"),
    );
  });

  it("without a place is printed without one", () => {
    const { hint: _hint, sourceLine: _line, length: _length, ...rest } = finding;
    expect(renderDiagnostic({ ...rest, file: "", line: 0, column: 0 })).toMatch(/^error MARKER_BAD_ARGUMENT: /u);
  });

  it("keeps tabs before the caret and marks no more than the line", () => {
    const text = renderDiagnostic({ ...finding, sourceLine: "\tab", column: 2, length: 99 });
    expect(text.split("\n").slice(1, 3)).toEqual(["  \tab", "  \t^^"]);
  });
});

describe("several diagnostics", () => {
  it("are sorted by place, each once, with an empty line between", () => {
    const first = { ...finding, line: 2 };
    const sorted = sortDiagnostics([finding, first, finding]);
    expect(sorted).toEqual([first, finding]);
    expect(renderDiagnostics(sorted).split("\n\n")).toHaveLength(2);
  });

  it("are errors when one is", () => {
    expect(hasErrors([{ ...finding, severity: "warning" }])).toBe(false);
    expect(hasErrors([{ ...finding, severity: "warning" }, finding])).toBe(true);
  });
});
