import { execFileSync } from "node:child_process";
import path from "node:path";

import { ROOT } from "../architecture/source-files.ts";

/** Compiles the templates that have changed since the last run. */
export function setup(): void {
  execFileSync(process.execPath, [path.join(ROOT, "scripts", "generate-templates.mjs")]);
}
