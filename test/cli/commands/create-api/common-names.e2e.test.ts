import { symlinkSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { ROOT } from "../../../architecture/source-files.ts";
import { INIT, runCommands } from "../../../support/run-command.ts";
import { runProgram } from "../../../support/run-program.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const KINDS = ["Client", "Promise", "Result", "Class", "Validator"];

it("kinds of names that the code needs itself compile, with their controllers and webhooks", async () => {
  const root = temporaryFolder();
  await runCommands(root, INIT);
  for (const kind of KINDS) {
    const gvk = `--group webapp --version v1 --kind ${kind}`;
    await runCommands(root, `create api ${gvk} --make=false`);
    await runCommands(root, `create webhook ${gvk} --defaulting --programmatic-validation --make=false`);
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"), "junction");
  const tsc = await runProgram(path.join(ROOT, "node_modules/.bin/tsc"), ["--noEmit"], { cwd: root });
  expect(tsc).toEqual({ status: 0, output: "" });
});
