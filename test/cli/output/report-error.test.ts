import { describe, expect, it } from "vitest";

import { GenerateFailedError, InvalidFlagError, UnknownCommandError } from "../../../src/cli/command/errors.ts";
import { reportError } from "../../../src/cli/output/report-error.ts";

function report(
  error: unknown,
  asJson = false,
): { readonly status: number; readonly stdout: string; readonly stderr: string } {
  let stdout = "";
  let stderr = "";
  const terminal = {
    isInteractive: false,
    writeOut: (text: string) => void (stdout += text),
    writeError: (text: string) => void (stderr += text),
  };
  const status = reportError(error, { terminal, asJson });
  return { status, stdout, stderr };
}

// What a package that is loaded beside the bundle throws: the same class, but another copy of it.
class ForeignError extends Error {
  readonly code = "APISERVER_LISTEN_FAILED";
  readonly hint: string | undefined = "choose another port";
}

describe("an error", () => {
  it("is one line with its code and one with the fix", () => {
    expect(report(new InvalidFlagError("no port", { hint: "give a number" }))).toEqual({
      status: 1,
      stdout: "",
      stderr: "error: no port [CLI_INVALID_FLAG]\nhint: give a number\n",
    });
  });

  it.each([
    ["deficient indentation\n  - a\n  ^", "deficient indentation [CLI_INVALID_FLAG]\n  - a\n  ^"],
    ["two files differ:\n  a\n  b", "two files differ [CLI_INVALID_FLAG]:\n  a\n  b"],
  ])("of several lines has its code in the first one: %j", (message, text) => {
    expect(report(new InvalidFlagError(message)).stderr).toBe(`error: ${text}\n`);
  });

  it("of wrong usage has status 2", () => {
    expect(report(new UnknownCommandError("x", { program: "scaffold", nearest: undefined })).status).toBe(2);
  });

  it("of the file system names the file, the reason and the fix, wherever it comes from", () => {
    const denied = Object.assign(new Error("EACCES: permission denied, open '/p/cmd/main.ts'"), {
      code: "EACCES",
      syscall: "open",
      path: "/p/cmd/main.ts",
    });
    expect(report(denied)).toMatchObject({
      status: 1,
      stderr:
        "error: cannot use /p/cmd/main.ts: permission is denied (EACCES) [SCAFFOLD_DISK]\n" +
        "hint: grant the current user access; the project is in the state before or after the command\n",
    });
    const refused = Object.assign(new Error("listen EACCES: permission denied"), { code: "EACCES", syscall: "listen" });
    expect(report(refused).stderr).toContain("this is a bug");
  });

  it("is JSON on standard output when that was asked for", () => {
    const { stdout, stderr } = report(new InvalidFlagError("no port"), true);
    expect(JSON.parse(stdout)).toEqual({ error: { code: "CLI_INVALID_FLAG", message: "no port" } });
    expect(stderr).toBe("");
  });

  it("ends with where to read on at a terminal: for errors in sources, about the first of them", () => {
    const shown = (error: unknown): string => {
      let text = "";
      const terminal = {
        isInteractive: true,
        writeOut: () => undefined,
        writeError: (part: string) => void (text += part),
      };
      reportError(error, { terminal, asJson: false, program: { calledAs: "npx scaffold" } });
      return text;
    };
    expect(shown(new InvalidFlagError("no port"))).toBe(
      "error: no port [CLI_INVALID_FLAG]\nmore: `npx scaffold explain CLI_INVALID_FLAG`\n",
    );
    expect(shown(new GenerateFailedError("2 errors", { hint: "fix them", topic: "MARKER_BAD_ARGUMENT" }))).toBe(
      "error: 2 errors [CLI_GENERATE_FAILED]\nhint: fix them\nmore: `npx scaffold explain MARKER_BAD_ARGUMENT`\n",
    );
  });

  it("of a package that is loaded from where it is installed is explained too", () => {
    expect(report(new ForeignError("cannot listen")).stderr).toBe(
      "error: cannot listen [APISERVER_LISTEN_FAILED]\nhint: choose another port\n",
    );
  });

  it.each([
    ["of Node", Object.assign(new TypeError("wrong"), { code: "ERR_INVALID_ARG_TYPE" })],
    ["of the system", Object.assign(new Error("wrong"), { code: "EIO" })],
    ["without a code", new Error("wrong")],
    ["that is no error", "wrong"],
  ])("%s that nobody has explained is a defect, with its place", (_, error) => {
    const { status, stderr } = report(error);
    expect(status).toBe(1);
    expect(stderr).toContain("this is a bug\n");
    expect(stderr).toContain("wrong");
  });
});
