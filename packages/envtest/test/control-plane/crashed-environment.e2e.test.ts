import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { backendOf } from "../../src/environment/environment-options.ts";

const START_TIMEOUT_MS = 200_000;
const IS_EMBEDDED = backendOf({}) === "embedded";
// The embedded server has no processes that a signal could leave behind.
const ENDS = IS_EMBEDDED ? (["error"] as const) : (["error", "SIGTERM", "SIGINT"] as const);
const PROGRAM = fileURLToPath(new URL("crash.ts", import.meta.url));

interface Started {
  readonly processes: readonly number[];
  readonly servers: readonly string[];
}

/** Runs the program; ends it with a signal, unless it fails by itself. */
async function crash(how: "error" | NodeJS.Signals): Promise<Started> {
  const child = fork(PROGRAM, [how], {
    execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let started: Started | undefined;
  child.on("message", (message) => {
    started = message as Started;
    if (how !== "error") child.kill(how);
  });
  const [status, signal] = await new Promise<readonly unknown[]>((resolve) => {
    child.on("exit", (...ends) => resolve(ends));
  });
  if (started === undefined) throw new Error(`the environments did not start: ${String(status)} ${String(signal)}`);
  expect(status).not.toBe(0);
  return started;
}

// The ids of processes are read from /proc.
describe.runIf(process.platform === "linux")(
  `two environments (${backendOf({})})`,
  { timeout: START_TIMEOUT_MS },
  () => {
    test.each(ENDS)("row 85: start together on their own ports, and leave no process behind after %s", async (how) => {
      const { processes, servers } = await crash(how);
      // The embedded server has neither processes nor ports; etcd and kube-apiserver have both.
      expect(processes.length).toBeGreaterThanOrEqual(IS_EMBEDDED ? 0 : 4);
      expect(new Set(servers).size).toBe(IS_EMBEDDED ? 1 : 2);
      const running = (): readonly number[] => processes.filter((id) => existsSync(`/proc/${String(id)}`));
      await expect.poll(running, { timeout: 20_000 }).toEqual([]);
    });
  },
);
