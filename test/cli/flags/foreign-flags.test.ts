import { describe, expect, it } from "vitest";

import { COMMANDS } from "../../../src/cli/commands.ts";
import { insteadOfFlag } from "../../../src/cli/flags/parse-flags.ts";

describe("flags of kubebuilder that are not here", () => {
  it("have a fix, with a value and without", () => {
    expect(insteadOfFlag("--fetch-deps=false")).toContain("--skip-install");
    expect(insteadOfFlag("--fetch-deps")).toContain("--skip-install");
    expect(insteadOfFlag("--group")).toBeUndefined();
  });

  it("are sent to flags that there are", () => {
    const known = new Set(COMMANDS.flatMap(({ flags }) => flags.map(({ name }) => `--${name}`)));
    const named = ["--fetch-deps", "--manifests"].flatMap((flag) => insteadOfFlag(flag)?.match(/--[a-z-]+/gu) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });
});
