// `scaffold init --skip-install` in an empty folder, beside Node doing nothing.
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

import { measureInTurn, printWhenMain, rowOf, timeProgram } from "./measuring.mjs";
import { builtProgram, inTemporaryFolder } from "./places.mjs";

const COMMAND = "init --domain example.com --project-name guestbook --skip-install".split(" ");

export function measureInit() {
  const program = builtProgram();
  return inTemporaryFolder(async (folder) => {
    const project = path.join(folder, "guestbook");
    const init = () => {
      rmSync(project, { recursive: true, force: true });
      mkdirSync(project);
      return timeProgram(process.execPath, [program, ...COMMAND], { cwd: project });
    };
    const [ours, reference] = await measureInTurn([init, () => timeProgram(process.execPath, ["-e", "0"])], {
      rounds: 21,
    });
    return [rowOf({ title: "`scaffold init` without installing / `node -e 0`", ours, reference, maxRatio: 3 })];
  });
}

await printWhenMain(import.meta.url, measureInit);
