import { describe, expect, it } from "vitest";

import type { DevEvent, Diagnostics } from "../../../../src/cli/commands/dev/dev-event.ts";
import { jsonReporter } from "../../../../src/cli/commands/dev/report-json.ts";
import { plainReporter } from "../../../../src/cli/commands/dev/report-plain.ts";
import { TerminalReporter } from "../../../../src/cli/commands/dev/report-terminal.ts";
import { Screen } from "../../../../src/cli/output/screen.ts";
import { textStyle } from "../../../../src/cli/output/text-style.ts";
import { FakeScreen } from "../../../support/fake-screen.ts";

const SERVER: DevEvent = {
  event: "server-ready",
  server: "https://127.0.0.1:6443",
  kubeconfig: "/project/.kubescaffold/dev/kubeconfig",
  managerUser: "system:serviceaccount:guestbook-system:manager",
  pods: "simulated",
};
const TYPES = "api/v1/guestbook_types.ts";
const CRD = "config/crd/bases/webapp.demo_guestbooks.yaml";

function finding(
  line: number,
  message = "Type 'string' is not assignable to type 'number'.",
): Diagnostics["diagnostics"][0] {
  return { severity: "error", code: "TS2322", message, file: TYPES, line, column: 3 };
}

function reporting(...events: readonly DevEvent[]): {
  readonly reporter: TerminalReporter;
  readonly output: FakeScreen;
} {
  const output = new FakeScreen({ columns: 120, rows: 24 });
  const reporter = new TerminalReporter({
    screen: new Screen(output),
    style: textStyle({ NO_COLOR: "1" }),
    root: "/project",
    isVerbose: false,
    program: { calledAs: "npx scaffold" },
    example: "kubectl apply -k config/samples",
  });
  for (const event of events) reporter.report(event);
  return { reporter, output };
}

describe("a terminal", () => {
  it("shows the server, and the state of the manager below everything else", () => {
    const { output } = reporting(SERVER, { event: "manager-started", pid: 7 });
    expect(output.lines).toContain("API server   https://127.0.0.1:6443");
    expect(output.lines.at(-1)).toBe("● manager starting · log: debug · ? for keys");
  });

  it("shows a change of a source with its outcome and durations on one line", () => {
    const { output } = reporting(
      { event: "sources-changed", files: [TYPES] },
      { event: "manifests-generated", files: [CRD], durationMs: 250 },
      { event: "manifests-applied", durationMs: 70 },
      { event: "manager-started", pid: 7 },
      { event: "manager-ready", durationMs: 700 },
    );
    expect(output.lines[0]).toBe(`› ${TYPES} changed: CRD applied (0.3 s), manager started (0.7 s)`);
    expect(output.lines.at(-1)).toContain("manager running");
  });

  it("names files and manifests by their numbers, and only manifests that differ", () => {
    const steps = (files: readonly string[], generated: readonly string[]): readonly DevEvent[] => [
      { event: "sources-changed", files },
      { event: "manifests-generated", files: generated, durationMs: 10 },
      { event: "manifests-applied", durationMs: 10 },
      { event: "manager-ready", durationMs: 10 },
    ];
    const { output } = reporting(
      ...steps(["a.ts"], []),
      ...steps(["a.ts", "b.ts"], ["config/rbac/role.yaml", "config/webhook/manifests.yaml", CRD, `${CRD}2`]),
      ...steps(["a.ts", "b.ts", "c.ts"], ["config/rbac/role.yaml"]),
    );
    expect(output.lines.slice(0, 3)).toEqual([
      "› a.ts changed: manager started (10 ms)",
      "› a.ts and b.ts changed: 2 CRDs, roles, and webhooks applied (20 ms), manager restarted (10 ms)",
      "› a.ts and 2 other files changed: roles applied (20 ms), manager restarted (10 ms)",
    ]);
  });

  it("keeps findings in view with their number until they are fixed", () => {
    const diagnostics = Array.from({ length: 12 }, (_, index) => finding(index + 1));
    const { reporter, output } = reporting({ event: "diagnostics", source: "types", diagnostics });
    reporter.report({ event: "note", text: "a later line" });
    expect(output.lines).toEqual([
      "a later line",
      "",
      "12 type errors",
      ...diagnostics.slice(0, 8).map(({ line }) => `  ${TYPES}:${String(line)}:3 TS2322 ${finding(1).message}`),
      "  and 4 more",
      "● manager starting · log: debug · ? for keys",
    ]);
    reporter.report({ event: "diagnostics", source: "types", diagnostics: [] });
    expect(output.lines).toEqual(["a later line", "", "● manager starting · log: debug · ? for keys"]);
  });

  it("prints a finding of the generators once with its source line, and keeps it in view, too", () => {
    const found = { ...finding(4, "cannot parse"), code: "LOADER_SYNTAX", sourceLine: "  motto?: ;" };
    const event: DevEvent = { event: "diagnostics", source: "generators", diagnostics: [found] };
    const failure: DevEvent = { event: "error", code: "CLI_GENERATE_FAILED", message: "1 error" };
    const { output } = reporting(event, failure, event, failure);
    expect(output.lines.filter((line) => line.includes("motto?: ;"))).toHaveLength(1);
    expect(output.lines).toContain("1 generator error: the manager still runs the previous version");
    expect(output.lines).toContain(`  ${TYPES}:4:3 LOADER_SYNTAX cannot parse`);
    expect(output.lines.join("\n")).not.toContain("1 error\n");
  });

  it("shows log lines of its level, and the output that is no log line", () => {
    const entry = { verbosity: 0, ts: "0", logger: "setup", fields: {} };
    const { reporter, output } = reporting();
    // All levels, then only errors.
    reporter.cycleLevel();
    reporter.cycleLevel();
    reporter.report({ event: "log", level: "info", message: "hidden", ...entry });
    reporter.report({ event: "log", level: "error", message: "shown", ...entry });
    reporter.report({ event: "output", stream: "stdout", text: "printed" });
    expect(output.lines.join("\n")).toMatch(/shown\nprinted\n\n.*log: error/u);
    expect(output.lines.join("\n")).not.toContain("hidden");
  });

  it("keeps the error of a step in view until the next change", () => {
    const failure: DevEvent = { event: "error", code: "PROJECT_NOT_FOUND", message: "cannot find\nthe file" };
    const { reporter, output } = reporting(failure);
    expect(output.lines.slice(-3, -1)).toEqual(["the last step failed", "  PROJECT_NOT_FOUND cannot find"]);
    reporter.report({ event: "sources-changed", files: ["PROJECT"] });
    expect(output.lines).not.toContain("the last step failed");
    reporter.report(failure);
    reporter.report({ event: "manager-ready", durationMs: 1 });
    expect(output.lines).not.toContain("the last step failed");
  });

  it("shows an exit, and an error of a step", () => {
    const { output } = reporting(
      { event: "sources-changed", files: ["cmd/main.ts"] },
      { event: "manager-exited", status: 1 },
      { event: "error", code: "CLIENT_STATUS", message: "no", hint: "retry" },
    );
    expect(output.lines).toEqual([
      "› cmd/main.ts changed: manager exited with status 1; the next change restarts it, and so does r",
      "error: no [CLIENT_STATUS]",
      "hint: retry",
      "more: `npx scaffold explain CLIENT_STATUS`",
      "",
      "the last step failed",
      "  CLIENT_STATUS no",
      "● manager exited · log: debug · ? for keys",
    ]);
  });
});

describe("without a terminal", () => {
  function plainly(...events: readonly DevEvent[]): { readonly out: string; readonly err: string } {
    let [out, err] = ["", ""];
    const terminal = { writeOut: (text: string) => (out += text), writeError: (text: string) => (err += text) };
    for (const event of events) plainReporter(terminal, "kubectl apply").report(event);
    return { out, err };
  }

  it("only the server, exits, findings, and errors are printed", () => {
    const { out, err } = plainly(
      SERVER,
      { event: "sources-changed", files: [TYPES] },
      { event: "manager-started", pid: 1 },
      { event: "diagnostics", source: "generators", diagnostics: [finding(1, "odd")] },
      { event: "diagnostics", source: "generators", diagnostics: [] },
      { event: "manager-exited", signal: "SIGKILL" },
      { event: "error", code: "A_CODE", message: "no", hint: "retry" },
    );
    expect(out).toMatch(
      /^API server {3}https:.*\nkubeconfig.*\nmanager as.*\nPods .*simulated.*\n\nTry: {2}kubectl apply\n\n$/u,
    );
    expect(err).toBe(
      `${TYPES}:1:3 - error TS2322: odd\nthe manager was killed by SIGKILL; the next change restarts it\nerror: no [A_CODE]\nhint: retry\n`,
    );
  });

  it("JSON has one event on each line, with its time", () => {
    let text = "";
    const reporter = jsonReporter({ writeOut: (line) => (text += line) }, () => new Date(0));
    reporter.report(SERVER);
    reporter.report({ event: "manager-exited", status: 1 });
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { time: "1970-01-01T00:00:00.000Z", ...SERVER },
      { time: "1970-01-01T00:00:00.000Z", event: "manager-exited", status: 1 },
    ]);
  });
});
