import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

function startProgram(): ChildProcess {
  return fork(fileURLToPath(new URL("signalled.ts", import.meta.url)), [], {
    execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
  });
}

async function messageOf(program: ChildProcess): Promise<unknown> {
  const [message] = (await once(program, "message")) as [unknown];
  return message;
}

describe("setupSignalHandler", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "row 12: %s stops the manager, and the process ends with 0",
    async (signal) => {
      const program = startProgram();
      expect(await messageOf(program)).toBe("running");
      program.kill(signal);
      expect(await messageOf(program)).toBe("stopping");
      program.send("end");
      expect(await messageOf(program)).toBe("stopped");
      expect((await once(program, "exit"))[0]).toBe(0);
    },
  );

  it("row 14: a second signal exits the process with 1, regardless of running work", async () => {
    const program = startProgram();
    await messageOf(program);
    program.kill("SIGTERM");
    expect(await messageOf(program)).toBe("stopping");
    program.kill("SIGTERM");
    expect((await once(program, "exit"))[0]).toBe(1);
  });
});
