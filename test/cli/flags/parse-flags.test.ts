import { describe, expect, it } from "vitest";

import { parseFlags } from "../../../src/cli/flags/parse-flags.ts";
import type { Flag } from "../../../src/plugin/flag.ts";

const FLAGS: readonly Flag[] = [
  { name: "kind", kind: "string", help: "" },
  { name: "plural", kind: "string", help: "" },
  { name: "spoke", kind: "list", help: "" },
  { name: "port", kind: "integer", help: "" },
  { name: "ratio", kind: "number", help: "" },
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

describe("a number", () => {
  it.each(["0", "-3", "+7", "9229"])("%j is an integer", (text) => {
    expect(parse("--port", text, "--ratio", text)).toEqual({ port: text, ratio: text });
  });

  it.each(["1.5", ".5", "2.", "-1e3", "1E-3"])("%j is a number, but no integer", (text) => {
    expect(parse("--ratio", text)).toEqual({ ratio: text });
    expect(() => parse("--port", text)).toThrow(expect.objectContaining({ code: "CLI_INVALID_FLAG" }));
  });

  it.each([
    "",
    " ",
    "NaN",
    "Infinity",
    "-Infinity",
    "0x10",
    "0b1",
    "1_000",
    "1,5",
    "1 ",
    " 1",
    "1\n",
    "e3",
    ".",
    "1e999",
  ])("%j is none", (text) => {
    for (const name of ["port", "ratio"])
      expect(() => parse(`--${name}=${text}`)).toThrow(expect.objectContaining({ code: "CLI_INVALID_FLAG" }));
  });
});
