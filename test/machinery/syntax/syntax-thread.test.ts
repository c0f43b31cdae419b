import { afterEach, describe, expect, it } from "vitest";

import { COMMANDS } from "../../../src/cli/commands.ts";
import {
  scriptProblemsOfThread,
  startSyntaxThread,
  WRITERS_OF_SOURCES,
} from "../../../src/machinery/syntax/syntax-thread.ts";

const SCRIPTS = [
  { path: "a.ts", text: "a" },
  { path: "b.ts", text: "b" },
];

function program(source: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads";${source}`)}`,
  );
}

// A problem per script that holds its text, which none would find by itself.
const ANSWERING = program(
  `parentPort.once("message", (scripts) => parentPort.postMessage(scripts.map(({ text }) => ({ reason: text }))));`,
);

describe("the thread that parses scripts", () => {
  afterEach(async () => {
    // A thread that a test left is ended.
    await scriptProblemsOfThread([]);
  });

  it("answers once, in the order of the question", async () => {
    startSyntaxThread(["init"], ANSWERING);
    expect(await scriptProblemsOfThread(SCRIPTS)).toEqual([{ reason: "a" }, { reason: "b" }]);
    expect(await scriptProblemsOfThread(SCRIPTS)).toBeUndefined();
  });

  it.each(WRITERS_OF_SOURCES)("is started for %s, which is a command", async (command) => {
    expect(COMMANDS.map(({ path }) => path.join(" "))).toContain(command);
    startSyntaxThread([...command.split(" "), "--make=false"], ANSWERING);
    expect(await scriptProblemsOfThread(SCRIPTS)).toHaveLength(2);
  });

  it("is started neither for other commands nor for one that writes nothing", async () => {
    const paths = COMMANDS.map(({ path }) => path);
    const isWriter = (path: readonly string[]): boolean => WRITERS_OF_SOURCES.includes(path.join(" "));
    const others = paths.filter((path) => !isWriter(path));
    const silent = paths.flatMap((path) => [
      [...path, "--help"],
      [...path, "-h"],
      [...path, "--dry-run"],
      ["help", ...path],
    ]);
    expect(others.length).toBeGreaterThan(WRITERS_OF_SOURCES.length);
    for (const words of [[], ...others, ...silent]) {
      startSyntaxThread(words, ANSWERING);
      expect([words, await scriptProblemsOfThread(SCRIPTS)]).toEqual([words, undefined]);
    }
  });

  it.each([
    ["throws when it starts", `throw new Error("broken");`],
    ["throws when it is asked", `parentPort.once("message", () => { throw new Error("broken"); });`],
    ["cannot be parsed", `const = ;`],
    ["ends at once", ``],
    ["ends the thread", `process.exit(3);`],
    ["ends without an answer", `parentPort.once("message", () => undefined);`],
  ])("leaves the scripts to the caller when its program %s", async (_, source) => {
    startSyntaxThread(["init"], program(source));
    expect(await scriptProblemsOfThread(SCRIPTS)).toBeUndefined();
  });

  it("leaves the scripts to the caller when there is no program", async () => {
    startSyntaxThread(["init"], new URL("missing.cjs", import.meta.url));
    expect(await scriptProblemsOfThread(SCRIPTS)).toBeUndefined();
  });
});
