// From the change of one source of 200 until `scaffold gen --watch` has written its CRD.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";

import { writeProjects } from "./gen-projects.mjs";
import { measureInTurn, printWhenMain, rowOf } from "./measuring.mjs";
import { builtProgram, inTemporaryFolder } from "./places.mjs";

const PAUSE_MS = 200;
const LONGEST_MS = 30_000;

export function measureWatch() {
  const program = builtProgram();
  return inTemporaryFolder(async (folder) => {
    const { typescript } = writeProjects(folder, { form: "simple", count: 200 });
    const watch = spawn(process.execPath, [program, "gen", "crd", "paths=./...", "--watch"], {
      cwd: typescript,
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      await once(watch.stderr, "data");
      let round = 0;
      const change = () => changeOne(typescript, (round += 1));
      const [ours] = await measureInTurn([change], { rounds: 10, warmUps: 5 });
      return [rowOf({ title: "`--watch`, one source of 200 changed, until its CRD is written", ours, maxMs: 100 })];
    } finally {
      watch.kill("SIGINT");
      await once(watch, "exit");
    }
  });
}

async function changeOne(project, round) {
  await setTimeout(PAUSE_MS);
  const name = `kind${String(round).padStart(3, "0")}`;
  const source = path.join(project, "api", "v1", `${name}_types.ts`);
  const crd = path.join(project, "config", "crd", `bench.example.com_${name}s.yaml`);
  const text = readFileSync(source, "utf8").replace("is what runs", `is what runs in round ${round}`);
  const start = performance.now();
  writeFileSync(source, text);
  while (!readFileSync(crd, "utf8").includes(`in round ${round}`)) {
    if (performance.now() - start > LONGEST_MS) throw new Error("the change was not seen");
    await setImmediate();
  }
  return performance.now() - start;
}

await printWhenMain(import.meta.url, measureWatch);
