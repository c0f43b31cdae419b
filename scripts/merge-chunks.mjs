// Merges the chunks that an entry point always loads into one file: Node takes as long to resolve and open a small module as to compile 10 kB of code.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";

import { ROOT } from "./ensure-installed.mjs";

const MERGED = "chunks/start.js";

/**
 * Merges chunks of esbuild's outputs in the folder `dist`, and the entry point itself where the whole of it is merged, so that Node resolves the packages that it
 * imports once; the other outputs import from the merged file.
 */
export async function mergeStartChunks({ dist, metafile, entry, isWhole = false }) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([name, output]) => [path.join(ROOT, name), output]));
  const first = path.join(dist, entry);
  const chunks = [...staticImports(outputs, first), ...(isWhole ? [first] : [])];
  if (chunks.length < 2) return;
  const names = mergedNames(outputs, chunks);
  const merged = path.join(dist, MERGED);
  await build({
    stdin: { contents: reexports(chunks, names, path.dirname(merged)), resolveDir: path.dirname(merged) },
    outfile: merged,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [othersStayOutside(chunks, path.dirname(merged))],
    logLevel: "warning",
  });
  for (const file of outputs.keys()) {
    if (isWhole && file === first) writeFileSync(file, entryOf(names.get(file), relativeTo(dist, merged)));
    else if (chunks.includes(file)) rmSync(file);
    else if (file.endsWith(".js")) importFromMerged(file, { merged, names });
  }
}

function staticImports(outputs, entry) {
  const found = new Set();
  const add = (file) => {
    for (const { path: name, kind, external } of outputs.get(file).imports) {
      const imported = path.join(ROOT, name);
      if (external || kind !== "import-statement" || found.has(imported)) continue;
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

function entryOf(names, merged) {
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
