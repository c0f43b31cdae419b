import { createPinoLogger } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { isShown, type LogEntry, parseLogLine } from "../../../../src/cli/commands/dev/manager-log.ts";

type Written = Parameters<typeof createPinoLogger>[0];

// The lines of the logger that generated projects use.
function linesOf(options: Written, write: (logger: ReturnType<typeof createPinoLogger>) => void): readonly string[] {
  let text = "";
  write(createPinoLogger({ ...options, destination: { write: (chunk) => (text += chunk) } }));
  return text.trimEnd().split("\n");
}

function writeReconciles(logger: ReturnType<typeof createPinoLogger>): void {
  const log = logger.withValues({ controller: "guestbook", namespace: "default", name: "sample", reconcileID: "7" });
  log.info("created the Deployment", { replicas: 3 });
  log.debug("Reconciling");
  log.v(5).info("reconciled", { durationMs: 12.5 });
  const error = Object.assign(new Error("pods is forbidden"), { code: "CLIENT_STATUS", hint: "add a marker" });
  log.error(error, "reconciler error");
}

describe.each(["json", "console"] as const)("a line in the format %s", (encoder) => {
  const lines = linesOf({ encoder, verbosity: 5 }, writeReconciles);
  const entries = lines.flatMap((line) => parseLogLine(line) ?? []);

  it("is parsed with its controller, object, and fields", () => {
    expect(entries[0]).toEqual({
      level: "info",
      verbosity: 0,
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u),
      logger: "",
      message: "created the Deployment",
      controller: "guestbook",
      object: "default/sample",
      fields: { replicas: 3, reconcileID: "7" },
    });
  });

  it("has its level, verbosity, and duration", () => {
    expect(entries.map(({ level, verbosity }) => [level, verbosity])).toEqual([
      ["info", 0],
      ["debug", 1],
      ["debug", 5],
      ["error", 0],
    ]);
    expect(entries[2]?.durationMs).toBe(12.5);
  });

  it("has the error with its code and hint", () => {
    expect(entries[3]).toMatchObject({ error: "pods is forbidden", code: "CLIENT_STATUS", hint: "add a marker" });
    // In the other format, the stack is on lines of its own.
    expect(entries[3]?.stack?.startsWith("Error: pods is forbidden\n")).toBe(encoder === "json" ? true : undefined);
  });
});

describe("a line", () => {
  it("with the name of a logger is parsed in both formats", () => {
    for (const encoder of ["json", "console"] as const) {
      const [line = ""] = linesOf({ encoder }, (logger) => logger.withName("setup").info("Starting\tmanager"));
      expect(parseLogLine(line)).toMatchObject({ logger: "setup", message: "Starting\tmanager", fields: {} });
    }
  });

  it.each([
    "plain text",
    "",
    "{not JSON",
    '{"json":"of something else"}',
    '{"level":"odd","msg":"x"}',
    "[1]",
    "null",
    "12:30\ttext with tabs",
    "    at reconcile (file:///project/internal/controller/a.ts:1:2)",
  ])("that no logger wrote is not parsed: %s", (line) => {
    expect(parseLogLine(line)).toBeUndefined();
  });
});

it("levels show more and more, with outcomes of reconciles from info on", () => {
  const entry = (changes: Partial<LogEntry>): LogEntry => ({
    level: "info",
    verbosity: 0,
    ts: "",
    logger: "",
    message: "m",
    fields: {},
    ...changes,
  });
  const entries = {
    error: entry({ level: "error" }),
    info: entry({}),
    outcome: entry({ level: "debug", verbosity: 5, message: "reconciled", durationMs: 1 }),
    debug: entry({ level: "debug", verbosity: 1 }),
    detail: entry({ level: "debug", verbosity: 4 }),
    step: entry({ message: "starting workers" }),
  };
  const shownAt = (level: Parameters<typeof isShown>[1]): readonly string[] =>
    Object.entries(entries)
      .filter(([, each]) => isShown(each, level))
      .map(([name]) => name);
  expect(shownAt("error")).toEqual(["error"]);
  expect(shownAt("info")).toEqual(["error", "info", "outcome"]);
  expect(shownAt("debug")).toEqual(["error", "info", "outcome", "debug"]);
  expect(shownAt("all")).toEqual(["error", "info", "outcome", "debug", "detail", "step"]);
});
