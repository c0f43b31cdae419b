import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import type { LogEntry } from "../../../../src/cli/commands/dev/manager-log.ts";
import {
  clockTime,
  renderDuration,
  renderEntry,
  renderStackLine,
} from "../../../../src/cli/commands/dev/render-log.ts";
import { textStyle } from "../../../../src/cli/output/text-style.ts";

const ROOT = path.resolve("/project");
const PLAIN = { style: textStyle({ NO_COLOR: "1" }), root: ROOT, isVerbose: false };
const VERBOSE = { ...PLAIN, isVerbose: true };

const ENTRY: LogEntry = {
  level: "info",
  verbosity: 0,
  ts: "2026-01-02T03:04:05.678Z",
  logger: "",
  message: "created the Deployment",
  controller: "guestbook",
  object: "default/sample",
  fields: { replicas: 3, image: "nginx:1", note: "two words", reconcileID: "7" },
};
const TIME = clockTime(ENTRY.ts);

describe("a log entry", () => {
  it("is one line: time, controller, object, message, fields", () => {
    expect(renderEntry(ENTRY, PLAIN)).toBe(
      `${TIME} guestbook default/sample created the Deployment replicas=3 image=nginx:1 note="two words"`,
    );
    expect(renderEntry(ENTRY, VERBOSE)).toContain('note="two words" reconcileID=7');
  });

  it("names its object once, unless everything is shown", () => {
    const fields = {
      controllerKind: "Guestbook",
      Guestbook: { name: "sample", namespace: "default" },
      Deployment: { name: "other", namespace: "" },
    };
    const line = `${TIME} guestbook default/sample created the Deployment`;
    expect(renderEntry({ ...ENTRY, fields }, PLAIN)).toBe(`${line} Deployment={"name":"other","namespace":""}`);
    expect(
      renderEntry(
        {
          ...ENTRY,
          object: "sample",
          fields: { controllerKind: "Node", Node: { name: "sample", namespace: "" } },
        },
        PLAIN,
      ),
    ).toBe(`${TIME} guestbook sample created the Deployment`);
    expect(renderEntry({ ...ENTRY, fields }, VERBOSE)).toContain('Guestbook={"name":"sample","namespace":"default"}');
  });

  it("names a child that has the name of its owner", () => {
    const fields = { controllerKind: "Guestbook", Deployment: { namespace: "default", name: "sample" } };
    expect(renderEntry({ ...ENTRY, message: "created", fields }, PLAIN)).toBe(
      `${TIME} guestbook default/sample created Deployment={"namespace":"default","name":"sample"}`,
    );
  });

  it("has its level unless that is info, and the logger where there is no controller", () => {
    const { controller: _c, object: _o, ...rest } = ENTRY;
    const entry = { ...rest, level: "debug" as const, verbosity: 1, logger: "setup", fields: {} };
    expect(renderEntry(entry, PLAIN)).toBe(`${TIME} DEBUG setup created the Deployment`);
  });

  it("of a reconcile has its outcome and duration", () => {
    const outcome = { ...ENTRY, level: "debug" as const, verbosity: 5, message: "reconciled", durationMs: 12.4 };
    expect(renderEntry({ ...outcome, fields: {} }, PLAIN)).toBe(`${TIME} guestbook default/sample reconciled 12 ms`);
    expect(renderEntry({ ...outcome, fields: { requeueAfterMs: 5000 } }, PLAIN)).toBe(
      `${TIME} guestbook default/sample reconciled, again in 5 s 12 ms`,
    );
  });

  it("cannot move the cursor or print what looks like another line", () => {
    const entry = { ...ENTRY, message: "a\u001B[2Jb\u0007\rc", object: "x\u001B]0;title\u0007", fields: {} };
    for (const character of ["\u001B", "\u0007", "\r"]) expect(renderEntry(entry, PLAIN)).not.toContain(character);
  });

  it("shows lists of names as a whole", () => {
    const names = Array.from(
      { length: 10 },
      (_, index) => `spec.template.spec.containers[${String(index)}].imagePullPolicy`,
    );
    expect(renderEntry({ ...ENTRY, fields: { fields: names } }, PLAIN)).toContain(`${names.at(-1) ?? ""}"]`);
  });

  it("shortens long values, unless everything is shown", () => {
    const entry = { ...ENTRY, fields: { list: "x".repeat(500) } };
    expect(renderEntry(entry, PLAIN).length).toBeLessThan(250);
    expect(renderEntry(entry, VERBOSE)).toContain("x".repeat(500));
  });
});

const OWN = path.join(ROOT, "internal/controller/guestbook_controller.ts");
const STACK = [
  "StatusError: pods is forbidden",
  "    at throwIfFailed (/project/node_modules/@kubescaffold/runtime/dist/rest.js:10:5)",
  "    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)",
  `    at async GuestbookReconciler.reconcile (${pathToFileURL(OWN).href}:40:11)`,
  "    at async Worker.run (/elsewhere/packages/runtime/src/controller/queue-controller.ts:1:1)",
  "caused by: Error: connect ECONNREFUSED",
  `    at ${OWN}:7:3`,
].join("\n");

describe("an error", () => {
  const entry: LogEntry = {
    ...ENTRY,
    level: "error",
    message: "reconciler error",
    error: "pods is forbidden",
    hint: "add a marker",
    stack: STACK,
    fields: {},
  };

  it("has its hint and the frames of the project", () => {
    expect(renderEntry(entry, PLAIN).split("\n")).toEqual([
      `${TIME} ERROR guestbook default/sample reconciler error: pods is forbidden`,
      "  hint: add a marker",
      "    at async GuestbookReconciler.reconcile (internal/controller/guestbook_controller.ts:40:11)",
      "caused by: Error: connect ECONNREFUSED",
      "    at internal/controller/guestbook_controller.ts:7:3",
    ]);
  });

  it("has the frames of libraries if everything is shown", () => {
    const text = renderEntry(entry, VERBOSE);
    expect(text).toContain("node_modules/@kubescaffold/runtime/dist/rest.js:10:5");
    expect(text).toContain("node:internal/process/task_queues:105:5");
    expect(text).toContain("/elsewhere/packages/runtime/src/controller/queue-controller.ts:1:1");
  });
});

it("other output passes, without the frames of libraries", () => {
  expect(renderStackLine("Listening at (port) 80", PLAIN)).toBe("Listening at (port) 80");
  expect(renderStackLine("    at Module._compile (node:internal/modules/cjs/loader:1554:14)", PLAIN)).toBeUndefined();
  expect(renderStackLine(`    at main (${OWN}:3:1)`, PLAIN)).toBe(
    "    at main (internal/controller/guestbook_controller.ts:3:1)",
  );
});

it.each([
  [0.2, "<1 ms"],
  [8.4, "8 ms"],
  [320, "0.3 s"],
  [5000, "5 s"],
  [59_400, "59 s"],
  [300_000, "5 min"],
])("a duration of %d ms is %s", (milliseconds, text) => {
  expect(renderDuration(milliseconds)).toBe(text);
});
