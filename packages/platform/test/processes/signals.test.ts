import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

import { describe, expect, it, onTestFinished } from "vitest";

import { isRunning, OWN_GROUP, signalGroup } from "../../src/processes/signals.ts";

const CHILD = `setInterval(() => undefined, 1000); process.send?.(process.pid);`;
// Starts another program, and reports its process ID.
const PARENT = `
const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["--eval", ${JSON.stringify(CHILD)}], { stdio: ["ignore", "inherit", "ignore", "ipc"] });
child.on("message", (pid) => process.send(pid));
`;

async function start(): Promise<{ readonly parent: ChildProcess; readonly descendant: number }> {
  const parent = spawn(process.execPath, ["--eval", PARENT], {
    stdio: ["ignore", "pipe", "ignore", "ipc"],
    ...OWN_GROUP,
  });
  parent.stdout?.resume();
  onTestFinished(() => signalGroup(parent, "SIGKILL"));
  const [descendant] = (await once(parent, "message")) as [number];
  return { parent, descendant };
}

describe("signalGroup", () => {
  it.skipIf(process.platform === "win32")("ends a program and the programs that it has started", async () => {
    const { parent, descendant } = await start();
    expect(isRunning(descendant)).toBe(true);
    signalGroup(parent, "SIGTERM");
    // The output that both hold is closed when the last of them has ended; who waits for the descendant is unknown.
    await once(parent, "close");
    expect(parent.signalCode).toBe("SIGTERM");
  });

  it("does nothing if the program has ended, or could not be started", async () => {
    const { parent } = await start();
    signalGroup(parent, "SIGKILL");
    await once(parent, "close");
    expect(() => signalGroup(parent, "SIGTERM")).not.toThrow();
    const missing = spawn("/no/such/program", { ...OWN_GROUP });
    await once(missing, "error");
    expect(() => signalGroup(missing, "SIGTERM")).not.toThrow();
  });

  it("throws for a signal that does not exist", async () => {
    const { parent } = await start();
    expect(() => signalGroup(parent, "NO_SIGNAL" as NodeJS.Signals)).toThrow(/NO_SIGNAL/u);
  });
});

describe("isRunning", () => {
  it("reports this process and processes of others, and none that has ended", async () => {
    const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(ended, "close");
    expect(isRunning(process.pid)).toBe(true);
    expect(isRunning(process.ppid)).toBe(true);
    expect(isRunning(ended.pid ?? Number.NaN)).toBe(false);
  });
});
