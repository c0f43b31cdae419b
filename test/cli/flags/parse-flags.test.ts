import { describe, expect, it } from "vitest";

import { parseFlags } from "../../../src/cli/flags/parse-flags.ts";
import type { Flag } from "../../../src/plugin/flag.ts";

const FLAGS: readonly Flag[] = [
  { name: "kind", kind: "string", help: "" },
  { name: "plural", kind: "string", help: "" },
  { name: "spoke", kind: "list", help: "" },
  { name: "port", kind: "integer", help: "" },
  { name: "force", kind: "boolean", help: "" },
];

function parse(...args: readonly string[]): unknown {
  return parseFlags("scaffold", { path: ["create", "api"], summary: "", flags: FLAGS }, FLAGS, args).flags;
}

describe("a flag whose value was forgotten", () => {
  it.each([
    [["--kind", "--plural", "x"], "--kind", "--plural"],
    [["--kind", "--plural=x"], "--kind", "--plural=x"],
    [["--spoke", "v2", "--spoke", "--force"], "--spoke", "--force"],
    [["--port", "--no-force"], "--port", "--no-force"],
    [["--force", "--kind", "--kind", "Shop"], "--kind", "--kind"],
  ])("%j is one error, though another flag is where the value would", (args, flag, next) => {
    expect(() => parse(...args)).toThrow(
      expect.objectContaining({
        code: "CLI_INVALID_FLAG",
        message: `flag needs an argument: ${flag}, found the flag ${next}`,
        hint: `write ${flag} <value>, or ${flag}=${next} if that is the value`,
      }),
    );
  });
});

describe("values that begin with a dash", () => {
  it.each([
    [["--kind=--plural", "--plural=x"], { kind: "--plural", plural: "x" }],
    [["--kind", "--other", "--plural", "-x"], { kind: "--other", plural: "-x" }],
    [["--port", "-1"], { port: "-1" }],
    [["--kind", "-", "--plural="], { kind: "-", plural: "" }],
  ])("are read from %j", (args, flags) => {
    expect(parse(...args)).toEqual(flags);
  });
});
