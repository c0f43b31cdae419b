// Makes examples/guestbook anew: the quickstart's commands, the filled-in files it already has, and what is generated. Run by `npm run golden`.
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ROOT } from "../ensure-installed.mjs";
import { COMMANDS, fillIn, scaffold } from "./project.mjs";

/** Makes the example project in a folder, which must be empty. */
export async function makeExample(folder) {
  for (const command of COMMANDS) await scaffold(folder, command);
  await fillIn(folder);
  await scaffold(folder, ["manifests"]);
  await scaffold(folder, ["generate"]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await replaceExample();

// A folder beside it, so that the paths to this repository's packages in its package.json are the same.
async function replaceExample() {
  const example = path.join(ROOT, "examples", "guestbook");
  const made = await mkdtemp(path.join(ROOT, "examples", "new-"));
  try {
    await makeExample(made);
    const modules = path.join(example, "node_modules");
    await cp(modules, path.join(made, "node_modules"), { recursive: true, verbatimSymlinks: true }).catch(
      () => undefined,
    );
    await rm(example, { recursive: true, force: true });
    await rename(made, example);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
