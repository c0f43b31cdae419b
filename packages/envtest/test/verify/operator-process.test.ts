import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { isRunning } from "@kubescaffold/platform/processes";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { OperatorProcess } from "../../src/verify/operator-process.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };
const WAIT = { timeout: 20_000, interval: 20 };

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "operator-process-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function processOf(command: string): OperatorProcess {
  return new OperatorProcess({ command, cwd: folder, env: ENV });
}

describe.skipIf(process.platform === "win32")("OperatorProcess", () => {
  it("kills the process with its descendants, also those that ignore signals", async () => {
    const operator = processOf(`trap "" TERM HUP; sleep 300 & echo $! > child; wait`);
    operator.start();
    const child = await vi.waitFor(() => {
      const pid = Number(readFileSync(path.join(folder, "child"), "utf8"));
      expect(pid).toBeGreaterThan(0);
      return pid;
    }, WAIT);
    expect(isRunning(child)).toBe(true);
    await operator.kill();
    await vi.waitFor(() => expect(stateOf(child)).not.toMatch(/^[RSD]/u), WAIT);
    expect(operator.takeExits()).toEqual([]);
  });

  it("starts a process again that has exited, and reports its status and last line", async () => {
    const operator = processOf(
      `if [ -e started ]; then sleep 300; else touch started; echo "cannot connect" >&2; exit 3; fi`,
    );
    operator.start();
    const exits = await vi.waitFor(() => {
      const taken = operator.takeExits();
      expect(taken).not.toEqual([]);
      return taken;
    }, WAIT);
    expect(exits).toEqual(["status 3: cannot connect"]);
    expect(operator.takeExits()).toEqual([]);
    await operator.kill();
  });

  it("gives up after five exits", async () => {
    const operator = processOf("exit 4");
    operator.start();
    expect(await operator.givenUp(new AbortController().signal)).toContain("status 4");
    await operator.kill();
  });

  it("reports a program that does not exist", async () => {
    const operator = new OperatorProcess({ command: [path.join(folder, "absent")], cwd: folder, env: ENV });
    operator.start();
    await vi.waitFor(() => expect(operator.takeExits().join("")).toContain("cannot start it"), WAIT);
    await operator.kill();
  });
});

// A killed process that nobody has waited for yet is a zombie.
function stateOf(pid: number): string {
  try {
    return /^State:\s+(\S)/mu.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1] ?? "gone";
  } catch {
    return isRunning(pid) && process.platform !== "linux" ? "R" : "gone";
  }
}
