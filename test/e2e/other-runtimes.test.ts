/** Bun and Deno run a manager and the embedded server, from the packages as they are built. */
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { clientCommand, RUNTIMES } from "../support/other-clients.ts";
import { runProgram } from "../support/run-program.ts";

const OPERATOR = path.join(ROOT, "hack/runtimes/operator.mjs");

describe.each(RUNTIMES)("an operator and the embedded server in %s", (runtime) => {
  const [program = "", ...args] = clientCommand(runtime) ?? [];

  it.skipIf(program === "")("reconcile an object", async () => {
    const { status, output } = await runProgram(program, [...args, OPERATOR], { cwd: ROOT });
    expect({ status, output }).toEqual({ status: 0, output: '{"name":"output","data":{"color":"blue"}}' });
  });
});
