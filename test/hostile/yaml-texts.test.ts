import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const EXCESSIVE = "document contains excessive aliasing";
const TOO_DEEP = "exceeded max depth of 1000";

const TEXTS: readonly (readonly [what: string, lines: string, message: string])[] = [
  [
    "aliases of aliases",
    [
      "a0: &a0 [x]",
      ...Array.from({ length: 9 }, (_, depth) => `a${depth + 1}: &a${depth + 1} [${aliases(`a${depth}`, 10)}]`),
    ].join("\n"),
    EXCESSIVE,
  ],
  ["aliases of a long text", `a: &a ${"x".repeat(30_000)}\nb: [${aliases("a", 10_000)}]`, EXCESSIVE],
  ["an alias inside of its anchor", "a: &a { b: [*a] }", "anchor 'a' value contains itself"],
  ["nested lists on one line", `a: ${"[".repeat(100_000)}${"]".repeat(100_000)}`, TOO_DEEP],
  ["nested lists in lines", `a:\n  ${"- ".repeat(20_000)}1`, TOO_DEEP],
  ["nested maps", `a: ${"{a: ".repeat(2000)}${"}".repeat(2000)}`, TOO_DEEP],
];

describe("YAML that stands for too much", () => {
  it.each(TEXTS)("is refused in a PROJECT: %s", async (_, lines, message) => {
    const root = temporaryFolder({ "project/.keep": "" });
    await runCommands(root, INIT);
    const text = readFileSync(path.join(root, "PROJECT"), "utf8");
    writeFiles(root, { PROJECT: `${text}${lines}\n` });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, CREATE_API);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(`PROJECT:\\d+:\\d+: ${message}`) });
    expect(readFiles(root)).toEqual(before);
  });

  it.each(TEXTS)("is refused in an imported CRD: %s", async (_, lines, message) => {
    const root = temporaryFolder({ "crd.yaml": `kind: CustomResourceDefinition\n${lines}\n` });
    const { status, stderr } = await runCommand(root, "import crd crd.yaml");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(`crd.yaml:\\d+:\\d+: ${message}`) });
    expect(Object.keys(readFiles(root))).toEqual(["crd.yaml"]);
  });
});

function aliases(name: string, count: number): string {
  return Array(count).fill(`*${name}`).join(", ");
}
