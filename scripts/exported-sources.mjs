// The sources that the exports and programs of a package name, as entry points of a bundle.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

const JOINED = "joined:";

/** Returns entry points of esbuild. Exports that name the same output become one module, since each module costs about a millisecond when a program starts. */
export function exportedSources(folder) {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) return [];
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(file, "utf8"));
  const targets = Object.values(exports).filter((target) => target["@kubescaffold/source"] !== undefined);
  const programs = Object.values(bin).map((output) => output.replace(/^dist\/(.*)\.js$/u, "src/$1.ts"));
  const single = targets.filter(({ default: output }) => sourcesOf(targets, output).length === 1);
  const shared = new Set(targets.filter((target) => !single.includes(target)).map(({ default: output }) => output));
  return [
    ...[...single.map((target) => target["@kubescaffold/source"]), ...programs]
      .flatMap((pattern) => filesOf(folder, pattern))
      .map((source) => ({ in: source, out: withoutExtension(path.relative(path.join(folder, "src"), source)) })),
    ...[...shared].map((output) => ({
      in: JOINED + JSON.stringify({ folder, sources: sourcesOf(targets, output) }),
      out: withoutExtension(path.relative("dist", output)),
    })),
  ];
}

/** A plugin of esbuild for the entry points that join several sources; two of them must not export the same name. */
export function joinedSources() {
  return {
    name: "joined-sources",
    setup(context) {
      context.onResolve({ filter: /^joined:/ }, ({ path: name }) => ({
        path: name.slice(JOINED.length),
        namespace: "joined",
      }));
      context.onLoad({ filter: /.*/, namespace: "joined" }, ({ path: joined }) => {
        const { folder, sources } = JSON.parse(joined);
        return {
          contents: sources.map((source) => `export * from ${JSON.stringify(source)};\n`).join(""),
          resolveDir: folder,
        };
      });
    },
  };
}

/** Returns, for each name by which one of the packages can be imported, the first of those that lead to the same output. */
export function canonicalSpecifiers(packages) {
  const all = new Map();
  for (const folder of readdirSync(packages)) {
    const file = path.join(packages, folder, "package.json");
    if (!existsSync(file)) continue;
    const { name, exports = {} } = JSON.parse(readFileSync(file, "utf8"));
    const first = new Map();
    for (const [key, { default: output }] of Object.entries(exports)) {
      if (key.includes("*") || output === undefined) continue;
      const specifier = path.posix.join(name, key);
      if (!first.has(output)) first.set(output, specifier);
      all.set(specifier, first.get(output));
    }
  }
  return all;
}

function sourcesOf(targets, output) {
  return targets.filter((target) => target.default === output).map((target) => target["@kubescaffold/source"]);
}

// A pattern stands for every file that it fits.
function filesOf(folder, pattern) {
  const [start, end] = pattern.split("*");
  if (end === undefined) return [path.join(folder, pattern)];
  return readdirSync(path.join(folder, start), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => path.join(folder, start, name));
}

function withoutExtension(file) {
  return file.replace(/\.[^.]+$/u, "");
}
