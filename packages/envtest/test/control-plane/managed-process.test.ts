import { describe, expect, test } from "vitest";

import { startProcess } from "../../src/control-plane/managed-process.ts";
import { waitUntil } from "../../src/eventually/wait-until.ts";

const node = (script: string): Parameters<typeof startProcess>[0] => ({
  name: "program",
  file: process.execPath,
  args: ["-e", script],
});

describe("a program of the control plane", () => {
  test("its unexpected end is an error with its status and the end of its output", async () => {
    const program = startProcess(node("console.error('no disk'); process.exitCode = 3"));
    await expect(program.unexpectedEnd).rejects.toMatchObject({
      code: "ENVTEST_START_FAILED",
      message: expect.stringMatching(/^cannot start program: it exited with status 3\nno disk/u),
    });
  });

  test("a program that does not exist is an error", async () => {
    const program = startProcess({ name: "program", file: "/no/such/program", args: [] });
    await expect(program.unexpectedEnd).rejects.toMatchObject({ code: "ENVTEST_START_FAILED" });
    await program.stop(1000);
  });

  test("is asked to end and ends", async () => {
    const program = startProcess(node("console.log('up'); setInterval(() => {}, 1000)"));
    await waitUntil(async () => program.output().includes("up"), {
      what: "the program",
      timeoutMs: 10_000,
      intervalMs: 5,
    });
    await program.stop(10_000);
    await expect(program.unexpectedEnd).rejects.toThrow("it was stopped");
    await program.stop(10_000);
  });

  test.skipIf(process.platform === "win32")("is killed when it does not end in time, which is an error", async () => {
    const program = startProcess(
      node("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)"),
    );
    await waitUntil(async () => program.output().includes("up"), {
      what: "the program",
      timeoutMs: 10_000,
      intervalMs: 5,
    });
    await expect(program.stop(50)).rejects.toMatchObject({ code: "ENVTEST_STOP_FAILED" });
  });
});
