// `node scripts/release/import-exports.mjs <folder>`: imports every module that the package in a folder exports, and prints how many there are.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log((await importExports(process.argv[2] ?? ".")).length);

/** Imports every export of an installed package that is a module, and returns their names. Throws when one cannot be imported. */
export async function importExports(folder) {
  const { name, exports } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const targets = Object.entries(exports).flatMap(([key, target]) =>
    typeof target === "string" ? [] : filesOf(folder, key, target.default),
  );
  for (const { file } of targets) await import(pathToFileURL(path.join(folder, file)).href);
  return targets.map(({ key }) => path.posix.join(name, key));
}

// A pattern stands for every file that it fits.
function filesOf(folder, key, target) {
  const [start, end] = target.split("*");
  if (end === undefined) return [{ key, file: target }];
  return readdirSync(path.join(folder, start), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(end))
    .map((file) => ({ key: key.replace("*", file.slice(0, -end.length)), file: `${start}${file}` }));
}
