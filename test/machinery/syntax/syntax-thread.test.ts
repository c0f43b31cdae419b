import { afterEach, describe, expect, it } from "vitest";

import { COMMANDS } from "../../../src/cli/commands.ts";
import { syntaxProblem } from "../../../src/machinery/syntax/check-syntax.ts";
import {
  problemsOfThread,
  startSyntaxThread,
  WRITERS_OF_SOURCES,
} from "../../../src/machinery/syntax/syntax-thread.ts";
import { WARM_UP } from "../../../src/machinery/syntax/warm-up.ts";

const FILES = [
  { path: "a.ts", text: "a" },
  { path: "b.ts", text: "b" },
];

function program(source: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads";${source}`)}`,
  );
}

// A problem per file that holds its text, which none would find by itself.
const ANSWERING = program(
  `parentPort.once("message", (files) => parentPort.postMessage(files.map(({ text }) => ({ reason: text }))));`,
);

describe("the texts that warm its parsers up", () => {
  it.each(WARM_UP)("parse: $path", async ({ path, text }) => {
    expect(await syntaxProblem(path, text)).toBeUndefined();
    expect(await syntaxProblem(path, `${text}\n}: [`)).toBeDefined();
  });
});

describe("the thread that parses files", () => {
  afterEach(async () => {
    // A thread that a test left is ended.
    await problemsOfThread([]);
  });

  it("answers once, in the order of the question", async () => {
    startSyntaxThread(["create", "api"], ANSWERING);
    expect(await problemsOfThread(FILES)).toEqual([{ reason: "a" }, { reason: "b" }]);
    expect(await problemsOfThread(FILES)).toBeUndefined();
  });

  it.each(WRITERS_OF_SOURCES)("is started for %s, which is a command", async (command) => {
    expect(COMMANDS.map(({ path }) => path.join(" "))).toContain(command);
    startSyntaxThread([...command.split(" "), "--make=false"], ANSWERING);
    expect(await problemsOfThread(FILES)).toHaveLength(2);
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
      expect([words, await problemsOfThread(FILES)]).toEqual([words, undefined]);
    }
  });

  it.each([
    ["throws when it starts", `throw new Error("broken");`],
    ["throws when it is asked", `parentPort.once("message", () => { throw new Error("broken"); });`],
    ["cannot be parsed", `const = ;`],
    ["ends at once", ``],
    ["ends the thread", `process.exit(3);`],
    ["ends without an answer", `parentPort.once("message", () => undefined);`],
  ])("leaves the files to the caller when its program %s", async (_, source) => {
    startSyntaxThread(["create", "api"], program(source));
    expect(await problemsOfThread(FILES)).toBeUndefined();
  });

  it("leaves the files to the caller when there is no program", async () => {
    startSyntaxThread(["create", "api"], new URL("missing.cjs", import.meta.url));
    expect(await problemsOfThread(FILES)).toBeUndefined();
  });
});
