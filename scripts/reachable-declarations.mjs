// Finds the declarations of a package that its exports lead to: the compiler writes one per module, and those of internal modules are of no use to users.
import path from "node:path";

const DECLARATION = /\.d\.[cm]?ts$/u;
const RELATIVE_SPECIFIER = /["'](?<specifier>\.{1,2}\/[^"'\s]*)["']/gu;

/** Returns the names of the declarations that the exports of a manifest reach, of files by their names in the package. */
export function reachableDeclarations({ exports = {}, types }, files) {
  const reached = new Set();
  const waiting = [exports, types].flatMap(targetsOf).flatMap((target) => namesOf(target, files));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const { groups } of files.get(name).matchAll(RELATIVE_SPECIFIER)) {
      const module = path.posix.join(path.posix.dirname(name), groups.specifier).replace(/\.[cm]?[jt]s$/u, "");
      waiting.push(...[`${module}.d.ts`, `${module}/index.d.ts`].filter((each) => files.has(each)));
    }
  }
  return reached;
}

function targetsOf(value) {
  if (typeof value === "string") return DECLARATION.test(value) ? [path.posix.normalize(value)] : [];
  return Object.values(value ?? {}).flatMap(targetsOf);
}

// A pattern stands for every file that it fits.
function namesOf(target, files) {
  const [start, end] = target.split("*");
  if (end === undefined) return files.has(target) ? [target] : [];
  return [...files.keys()].filter((name) => name.startsWith(start) && name.endsWith(end));
}
