import path from "node:path";
import { pathToFileURL } from "node:url";

import { ROOT } from "../architecture/source-files.ts";

/** Imports a script of this repository, which is plain JavaScript, as the module that a test knows it to be. */
export async function importScript<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(path.join(ROOT, "scripts", file)).href)) as Module;
}
