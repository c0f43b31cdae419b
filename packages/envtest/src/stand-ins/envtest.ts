#!/usr/bin/env node
import { fileURLToPath } from "node:url";

import { runProgram } from "./program.ts";

process.exitCode = await runProgram(process.argv.slice(2), {
  program: fileURLToPath(import.meta.url),
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
