// Reads the output of a program that runs for minutes, with a temporary folder, and prints how that ended.
import { writeFileSync } from "node:fs";
import path from "node:path";

import { readProgram } from "../../../src/cli/programs/run-program.ts";
import { withTemporaryFolder } from "../../../src/cli/programs/uninterrupted.ts";

const terminal = {
  isInteractive: false,
  writeOut: (text: string): void => void process.stdout.write(text),
  writeError: (text: string): void => void process.stderr.write(text),
};

// Prints the id of its process, and waits.
const PROGRAM = "require('fs').writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 600_000);";

async function main(): Promise<void> {
  await withTemporaryFolder("kubescaffold-interrupted", async (folder) => {
    writeFileSync(path.join(folder, "file"), "");
    const program = { name: process.execPath, hint: "" };
    await readProgram(program, ["-e", PROGRAM], { invocation: { cwd: process.cwd(), terminal } });
  });
}

main().catch((error: unknown) => {
  terminal.writeOut(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
