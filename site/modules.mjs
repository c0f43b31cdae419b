// The public modules of the packages, from the `exports` in each package.json.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Returns the source file of each module, by the name that users import. */
export function publicModules(root) {
  const packages = readdirSync(path.join(root, "packages")).map((name) => `packages/${name}`);
  return Object.fromEntries([...packages.toSorted(), ""].flatMap((folder) => modulesOf(root, folder)));
}

function modulesOf(root, folder) {
  const { name, exports = {} } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
  return (
    Object.entries(exports)
      // The patterns are the API types of Kubernetes, which have no texts of their own.
      .filter(([subpath, { "@kubescaffold/source": source }]) => source !== undefined && !subpath.includes("*"))
      .map(([subpath, { "@kubescaffold/source": source }]) => [
        path.posix.join(name, subpath),
        path.posix.join(folder, source),
      ])
  );
}
