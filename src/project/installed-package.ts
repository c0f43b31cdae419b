import { existsSync } from "node:fs";
import path from "node:path";

/** Returns the folder of a package that a project has installed, in its folder or in one above it, as in a monorepo. */
export function installedPackage(root: string, name: string): string | undefined {
  for (let folder = path.resolve(root); ; folder = path.dirname(folder)) {
    const installed = path.join(folder, "node_modules", name);
    if (existsSync(path.join(installed, "package.json"))) return installed;
    if (folder === path.dirname(folder)) return undefined;
  }
}
