import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { REQUEST_FAULTS, TYPICAL_FAULTS, WATCH_FAULTS } from "../../src/chaos/faults.ts";

const page = readFileSync(new URL("../../../../docs/reference/chaos.md", import.meta.url), "utf8");

describe("docs/reference/chaos.md", () => {
  it("contains the example that is tested", () => {
    const example = readFileSync(new URL("example.test.ts", import.meta.url), "utf8");
    expect(page).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  });

  it.each([...REQUEST_FAULTS, ...WATCH_FAULTS])("describes %s, and whether it is typical", (kind) => {
    const row = page.split("\n").find((line) => line.startsWith("| `") && line.split("|")[1]?.includes(`\`${kind}\``));
    expect(row).toBeDefined();
    expect(row?.endsWith("| yes |")).toBe((TYPICAL_FAULTS[kind] ?? 0) > 0);
  });
});
