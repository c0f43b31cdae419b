// Regenerates the projects below examples: their commands, the filled-in files they already have, and what is generated. Run by `npm run golden`;
// names of examples after it make only those.
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ROOT } from "../ensure-installed.mjs";
import { EXAMPLES } from "./examples.mjs";
import { fillIn, scaffold } from "./project.mjs";

/** Makes an example project in a folder, which must be empty. */
export async function makeExample(folder, name) {
  const example = EXAMPLES.find((each) => each.name === name);
  for (const command of example.commands) await scaffold(folder, command);
  await fillIn(folder, example);
  await scaffold(folder, ["manifests"]);
  await scaffold(folder, ["generate"]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  for (const { name } of EXAMPLES) if (wanted.length === 0 || wanted.includes(name)) await replaceExample(name);
}

// A folder beside it, so that the paths to this repository's packages in its package.json are the same.
async function replaceExample(name) {
  const example = path.join(ROOT, "examples", name);
  const made = await mkdtemp(path.join(ROOT, "examples", "new-"));
  try {
    await makeExample(made, name);
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
