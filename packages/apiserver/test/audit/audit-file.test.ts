import { spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const COUNT = 20;
const LENGTH = 100_000;
const WRITTEN = "all events have been written\n";

function startLogging(...more: readonly string[]) {
  const program = fileURLToPath(new URL("logging-process.ts", import.meta.url));
  const args = [
    "--import",
    "tsx",
    "--conditions=@kubescaffold/source",
    program,
    String(COUNT),
    String(LENGTH),
    ...more,
  ];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
}

it("events reach a pipe whole, also when its reader is slower than requests are", async () => {
  const child = startLogging();
  const exited = once(child, "exit");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    child.stdout.pause();
    void setImmediate().then(() => child.stdout.resume());
  });
  await once(child.stdout, "end");
  expect(await exited).toEqual([0, null]);
  const [start, ...lines] = output.trimEnd().split("\n");
  expect(start).toBe("start");
  const events = lines.map((line) => JSON.parse(line) as { readonly auditID: string; readonly requestURI: string });
  expect(events.map(({ auditID }) => auditID)).toEqual(Array.from({ length: COUNT }, (_, index) => String(index)));
  expect(new Set(events.map(({ requestURI }) => requestURI))).toEqual(new Set(["é".repeat(LENGTH)]));
});

it("events are dropped while the reader of a pipe has stopped, and lines stay whole", async () => {
  const child = startLogging("20");
  const exited = once(child, "exit");
  let report = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    report += text;
  });
  while (!report.includes(WRITTEN)) await once(child.stderr, "data");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  while (!output.includes("later")) {
    child.stdin.write(".");
    await setImmediate();
  }
  child.stdin.end();
  await once(child.stdout, "end");
  expect([await exited, report]).toEqual([
    [0, null],
    `the reader of the audit log has stopped: events are dropped until it continues\n${WRITTEN}`,
  ]);
  const events = output
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as { readonly auditID: string });
  const ids = events.map(({ auditID }) => auditID);
  expect(ids.at(-1)).toBe("later");
  expect(ids).not.toContain(String(COUNT - 1));
});
