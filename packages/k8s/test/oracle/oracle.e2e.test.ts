import { readdirSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { askOracle, buildOracle, readRecording } from "./oracle.ts";

const subjects = readdirSync(new URL("../recorded/", import.meta.url)).map((name) => name.replace(/\.json$/, ""));
const isPresent = buildOracle() !== undefined;
if (!isPresent) {
  process.stderr.write(
    "SKIPPED: Go or its modules are missing, recorded answers are not asked for again (KUBESCAFFOLD_ORACLE=1 fetches them)\n",
  );
}

describe.skipIf(!isPresent)("the Go program", () => {
  it.each(subjects)("still answers on %s what was recorded", (subject) => {
    const { inputs, answers } = readRecording(subject);
    expect(inputs.length).toBeGreaterThan(0);
    expect(askOracle(subject, inputs)).toEqual(answers);
  });
});
