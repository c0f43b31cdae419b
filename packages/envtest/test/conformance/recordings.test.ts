import { describe, expect, it } from "vitest";

import { foldersToWrite } from "./recordings.ts";

const RECORDED = expect.stringMatching(/conformance[/\\]recorded[/\\]$/u) as string;

describe("the folders that get answers", () => {
  it.each([
    ["real", {}, []],
    ["real", { CONFORMANCE_OUTPUT: "out" }, ["out"]],
    ["real", { CONFORMANCE_RECORD: "1" }, [RECORDED]],
    ["real", { CONFORMANCE_OUTPUT: "out", CONFORMANCE_RECORD: "1" }, ["out", RECORDED]],
    ["embedded", { CONFORMANCE_OUTPUT: "out", CONFORMANCE_RECORD: "1" }, ["out"]],
  ] as const)("of a server that is %s, with %j, are %j", (kind, env, expected) => {
    expect(foldersToWrite(kind, env).folders).toEqual(expected);
  });
});
