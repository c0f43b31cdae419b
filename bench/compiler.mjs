// `scaffold gen --no-cache` with the compiler that the build cuts down, beside the same program with the whole compiler.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { removeOutput, writeProjects } from "./gen-projects.mjs";
import { measureInTurn, printWhenMain, rowOf, timeAndMemory } from "./measuring.mjs";
import { builtProgram, inTemporaryFolder } from "./places.mjs";

const BUILD = fileURLToPath(new URL("../scripts/build-bundle.mjs", import.meta.url));
// The build resolves what the program loads at run time from beside the repository's node_modules.
const WHOLE = fileURLToPath(new URL("../node_modules/.kubescaffold-whole-compiler", import.meta.url));
const WORDS = ["gen", "crd", "paths=./...", "--no-cache"];

export function measureCompiler() {
  const built = spawnSync(process.execPath, [BUILD, WHOLE, "--whole-compiler"], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`cannot build with the whole compiler: ${built.stderr}`);
  const programs = [builtProgram(), path.join(WHOLE, "scaffold.cjs")];
  return inTemporaryFolder(async (folder) => {
    const { typescript: cwd } = writeProjects(folder, { form: "simple", count: 1 });
    const memories = programs.map(() => []);
    const times = await measureInTurn(
      programs.map((program, index) => () => {
        removeOutput(cwd);
        const { elapsedMs, memory } = timeAndMemory(process.execPath, [program, ...WORDS], { cwd });
        if (memory !== undefined) memories[index].push(memory);
        return elapsedMs;
      }),
      { rounds: 21 },
    );
    const title = "1 simple kind, `--no-cache`, beside the whole compiler";
    const rows = [rowOf({ title, ours: times[0], reference: times[1], maxRatio: 0.9 })];
    if (memories[0].length > 0)
      rows.push(rowOf({ title: "the same: memory", ours: memories[0], reference: memories[1], unit: "MiB" }));
    return rows;
  }).finally(() => rmSync(WHOLE, { recursive: true, force: true }));
}

await printWhenMain(import.meta.url, measureCompiler);
