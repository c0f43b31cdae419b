import { describe, expect, it } from "vitest";

import { checkBuild, checkLines, readTestReport, readTypeErrors } from "../../src/go-project/import-checks.ts";

const relative = (file: string): string => file.replace("/project/", "");

function reportOf(result: object): string {
  return `a line of a test\n${JSON.stringify({ numTotalTestSuites: 1, numPassedTests: 3, testResults: [result] })}\n`;
}

describe("checkBuild", () => {
  const build = (files: Readonly<Record<string, string>>): ReturnType<typeof checkBuild> =>
    checkBuild((file) => files[file]);

  it("counts the objects that config/default builds", () => {
    const files = {
      "config/default/kustomization.yaml": "resources: [a.yaml]",
      "config/default/a.yaml": "{apiVersion: v1, kind: Pod, metadata: {name: a}}",
    };
    expect(build(files)).toMatchObject({ state: "passed", note: "it builds 1 objects" });
  });

  it.each([
    ["a missing file", "resources: [a.yaml]", "config/default/kustomization.yaml", "it refers to a.yaml"],
    ["a field that is not built", "crds: [a.yaml]", "config/default/kustomization.yaml", "its field crds"],
    ["text that is not YAML", "a: [", "config/default/kustomization.yaml", ""],
  ])("names %s with its file", (_, text, where, why) => {
    const { state, problems } = build({ "config/default/kustomization.yaml": text });
    expect({ state, problems }).toEqual({
      state: "failed",
      problems: [{ where, why: expect.stringContaining(why), fix: expect.stringContaining("kubectl kustomize") }],
    });
  });
});

describe("readTypeErrors", () => {
  it("names file, line, and column of each error", () => {
    const output =
      "api/v1/a.ts(3,14): error TS2322: no.\n  more of it\ncmd/main.ts(1,1): error TS1005: ';' expected.\n";
    expect(readTypeErrors(output, 2).problems.map(({ where, why }) => `${where} ${why}`)).toEqual([
      "api/v1/a.ts:3:14 error TS2322: no.",
      "cmd/main.ts:1:1 error TS1005: ';' expected.",
    ]);
  });

  it.each([
    ["error TS5023: Unknown compiler option", "tsconfig.json"],
    ["", "tsc --noEmit"],
  ])("fails with the output %j, too", (output, where) => {
    expect(readTypeErrors(output, 1)).toMatchObject({ state: "failed", problems: [{ where }] });
  });

  it("passes with status 0 alone", () => {
    expect(readTypeErrors("", 0).state).toBe("passed");
    expect(readTypeErrors("", undefined).state).toBe("failed");
  });
});

describe("readTestReport", () => {
  it("names each failed test with the first line of its message", () => {
    const failure = { fullName: "boats sail", status: "failed", failureMessages: ["\nno wind\n    at boat.ts:1:1"] };
    const result = { name: "/project/a.test.ts", status: "failed", assertionResults: [failure] };
    expect(readTestReport(reportOf(result), { status: 1, relative }).problems).toEqual([
      { where: "a.test.ts > boats sail", why: "no wind", fix: expect.stringContaining("npx vitest run a.test.ts") },
    ]);
  });

  it("names a file that cannot be loaded", () => {
    const result = { name: "/project/a.test.ts", status: "failed", message: "no module", assertionResults: [] };
    expect(readTestReport(reportOf(result), { status: 1, relative }).problems).toMatchObject([
      { where: "a.test.ts", why: "no module" },
    ]);
  });

  it("names a file whose hook failed, which the report does not say", () => {
    const skipped = { fullName: "boats sail", status: "skipped", failureMessages: [] };
    const result = { name: "/project/a.test.ts", status: "failed", message: "", assertionResults: [skipped] };
    expect(readTestReport(reportOf(result), { status: 1, relative }).problems).toMatchObject([
      { where: "a.test.ts", why: expect.stringMatching(/^a hook, such as beforeAll, failed/u) },
    ]);
  });

  it.each([
    ["no report", "out of memory", 134],
    ["no report and status 0", "", 0],
    ["a broken report", '{"numTotalTestSuites', 0],
    ["another status", reportOf({ name: "", status: "passed", assertionResults: [] }), 1],
    ["a signal", reportOf({ name: "", status: "passed", assertionResults: [] }), undefined],
  ])("fails with %s", (_, output, status) => {
    expect(readTestReport(output, { status, relative })).toMatchObject({
      state: "failed",
      problems: [{ where: "vitest run" }],
    });
  });

  it("passes with a report and status 0", () => {
    const result = { name: "/project/a.test.ts", status: "passed", assertionResults: [] };
    expect(readTestReport(reportOf(result), { status: 0, relative })).toMatchObject({
      state: "passed",
      note: "3 pass",
    });
  });
});

describe("the note of tests that pass", () => {
  it("counts those that are skipped", () => {
    const report = JSON.stringify({ numTotalTestSuites: 1, numPassedTests: 2, numPendingTests: 3, testResults: [] });
    expect(readTestReport(report, { status: 0, relative }).note).toBe("2 pass, 3 skipped");
  });
});

describe("checkLines", () => {
  it("lists ten problems, and prints a fix that several share once", () => {
    const problems = Array.from({ length: 12 }, (_, index) => ({ where: `a${index}.ts`, why: "no", fix: "do it" }));
    const lines = checkLines({ what: "types", state: "failed", note: "", problems });
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe("types: 12 problems");
    expect(lines.slice(-2)).toEqual(["    fix: do it", "  and 2 more"]);
  });
});
