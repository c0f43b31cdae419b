// `npm run quickstart`: from nothing to an operator that reconciles, with Node alone. Installs and builds what is missing, then tells the story.
import path from "node:path";

import { ROOT, ensureInstalled, run, runStatus } from "./ensure-installed.mjs";

ensureInstalled();
run(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
process.exit(
  runStatus(process.execPath, [path.join(ROOT, "scripts", "quickstart", "story.mjs"), ...process.argv.slice(2)]),
);
