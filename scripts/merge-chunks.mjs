// Merges the chunks that an entry point always loads into one file: Node takes as long to resolve and open a small module as to compile 10 kB of code.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";

import { ROOT } from "./ensure-installed.mjs";

/**
 * Merges what is loaded together, one group after the other, among esbuild's outputs in the folder `dist`; the other outputs import from the merged files.
 *
 * A group is the chunks that a source always loads and that no group before it has. They are merged into a file, or else into the entry point, which then exports
 * what other chunks need of them, too. With `isWhole`, the entry point is in the merged file, and exports its own names from there: Node resolves the packages that
 * it imports once.
 */
export async function mergeChunks({ dist, metafile, groups }) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([name, output]) => [path.join(ROOT, name), output]));
  for (const group of groups) {
    for (const file of await mergeGroup({ dist, outputs, ...group })) outputs.delete(file);
  }
}

/** Returns the outputs that are in the merged file, and nowhere else. */
async function mergeGroup({ dist, outputs, source, merged: name, isWhole = false }) {
  const first = entryOf(outputs, source);
  const merged = name === undefined ? first : path.join(dist, name);
  // First, since its names stay.
  const chunks = [...(isWhole || merged === first ? [first] : []), ...staticImports(outputs, first)];
  if (chunks.length < 2) return [];
  const names = mergedNames(outputs, chunks);
  await build({
    stdin: { contents: reexports(chunks, names, path.dirname(merged)), resolveDir: path.dirname(merged) },
    outfile: merged,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [othersStayOutside(chunks, path.dirname(merged))],
    logLevel: "warning",
  });
  for (const file of outputs.keys()) {
    if (file === merged) continue;
    if (isWhole && file === first)
      writeFileSync(file, reexport(names.get(file), relativeTo(path.dirname(file), merged)));
    else if (chunks.includes(file)) rmSync(file);
    else if (file.endsWith(".js")) importFromMerged(file, { merged, names });
  }
  return chunks.filter((file) => file !== first);
}

function entryOf(outputs, source) {
  for (const [file, { entryPoint = "" }] of outputs) if (path.join(ROOT, entryPoint) === source) return file;
  throw new Error(`no output of the bundle starts with ${source}`);
}

function staticImports(outputs, entry) {
  const found = new Set();
  const add = (file) => {
    for (const { path: name, kind, external } of outputs.get(file).imports) {
      const imported = path.join(ROOT, name);
      if (external || kind !== "import-statement" || found.has(imported) || !outputs.has(imported)) continue;
      found.add(imported);
      add(imported);
    }
  };
  add(entry);
  return [...found];
}

// Several chunks may export the same name for different things.
function mergedNames(outputs, chunks) {
  const taken = new Set();
  return new Map(
    chunks.map((file) => [
      file,
      new Map(
        outputs.get(file).exports.map((name) => {
          let merged = name;
          for (let number = 2; taken.has(merged); number += 1) merged = `${name}${number}`;
          taken.add(merged);
          return [name, merged];
        }),
      ),
    ]),
  );
}

function reexport(names, merged) {
  const list = [...names].map(([name, inMerged]) => clause(inMerged, name));
  return `export {\n  ${list.join(",\n  ")}\n} from "${merged}";\n`;
}

function reexports(chunks, names, folder) {
  const lines = chunks.map((file) => {
    const list = [...names.get(file)].map(([name, merged]) => clause(name, merged));
    return `export { ${list.join(", ")} } from "${relativeTo(folder, file)}";`;
  });
  return lines.join("\n");
}

function othersStayOutside(chunks, folder) {
  return {
    name: "others-stay-outside",
    setup(context) {
      context.onResolve({ filter: /.*/ }, ({ path: name, resolveDir }) => {
        if (!name.startsWith(".")) return { path: name, external: true };
        const file = path.resolve(resolveDir, name);
        return chunks.includes(file) ? { path: file } : { path: relativeTo(folder, file), external: true };
      });
    },
  };
}

function importFromMerged(file, { merged, names }) {
  const text = readFileSync(file, "utf8");
  const place = relativeTo(path.dirname(file), merged);
  const rewritten = text.replaceAll(
    /^(import|export) \{([^}]*)\} from "(\.[^"\n]+)";$/gmu,
    (statement, keyword, list, from) => {
      const chunkNames = names.get(path.resolve(path.dirname(file), from));
      if (chunkNames === undefined) return statement;
      const parts = list.split(",").map((part) => part.trim().split(" as "));
      const renamed = parts.map(([name, local = name]) => clause(chunkNames.get(name), local));
      return `${keyword} {\n  ${renamed.join(",\n  ")}\n} from "${place}";`;
    },
  );
  if (rewritten !== text) writeFileSync(file, rewritten);
}

function clause(name, other) {
  return name === other ? name : `${name} as ${other}`;
}

function relativeTo(folder, file) {
  const name = path.relative(folder, file).replaceAll("\\", "/");
  return name.startsWith(".") ? name : `./${name}`;
}
