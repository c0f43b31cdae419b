import { describe, expect, it } from "vitest";

import { renderRuns } from "../../../../src/cli/commands/test/test-run.ts";

describe("the table of test runs", () => {
  it("has a line for each version", () => {
    expect(
      renderRuns([
        { kubernetes: "1.34", hasPassed: true, passed: 120, failed: 0, skipped: 1, durationMs: 12_345 },
        { kubernetes: "1.35", hasPassed: false, passed: 119, failed: 1, skipped: 1, durationMs: 9_960 },
        { kubernetes: "1.36", hasPassed: false, durationMs: 420 },
      ]),
    ).toBe(`KUBERNETES   RESULT   PASSED   FAILED   SKIPPED   TIME
1.34         passed   120      0        1         12.3 s
1.35         failed   119      1        1         10.0 s
1.36         failed   -        -        -         0.4 s
`);
  });
});
