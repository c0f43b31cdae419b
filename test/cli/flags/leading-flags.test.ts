import { describe, expect, it } from "vitest";

import { COMMANDS } from "../../../src/cli/commands.ts";
import { globalFlagOf, moveLeadingFlags } from "../../../src/cli/run-cli.ts";

function moved(line: string): string {
  return moveLeadingFlags(line.split(" "), COMMANDS).join(" ");
}

describe("flags of every command in front of one", () => {
  it.each([
    ["--plugins x create api --kind Shop", "create api --plugins=x --kind Shop"],
    ["create --no-input api --kind Shop", "create api --no-input --kind Shop"],
    ["--help --plugins=x init", "init --help --plugins=x"],
    ["--plugins", "--plugins"],
    ["--plugins --no-input init", "init --plugins --no-input"],
  ])("are behind its words: %s", (line, expected) => {
    expect(moved(line)).toBe(expected);
  });

  it.each(["--loud init", "init --plugins x", "create api --kind --no-input", "create nothing --plugins x"])(
    "stay where they are when what they belong to is not known, or stands before them: %s",
    (line) => {
      expect(moved(line)).toBe(line);
    },
  );

  it.each([
    ["--plugins=x", "plugins"],
    ["--no-input", "input"],
    ["--no-plugins", undefined],
    ["plugins", undefined],
  ])("are known by their names: %s", (word, name) => {
    expect(globalFlagOf(word)).toBe(name);
  });
});
