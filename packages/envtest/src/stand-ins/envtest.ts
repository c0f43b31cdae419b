#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { nodeProblem, type RequiringManifest } from "./node-problem.ts";

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const { version, ...required } = JSON.parse(manifest) as RequiringManifest & { readonly version: string };
const problem = nodeProblem(process.versions.node, required);
if (problem === undefined) {
  // What it imports needs a new version of Node.js.
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(process.argv.slice(2), {
    program: fileURLToPath(import.meta.url),
    writeOut: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    readInput: () => process.stdin,
    version,
    env: process.env,
  });
} else {
  process.stderr.write(`error: ${problem}\n`);
  process.exitCode = 1;
}
