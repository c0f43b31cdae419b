// Splits the program into two scripts: one that starts and scaffolds, and one with the commands that most runs do not need, which the first loads when it
// comes to them. To read one script of everything would take a command longer than its work. No module exists twice: the second script asks the first for
// what both have.
import { readFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";

const CACHED_SCRIPT = path.join(ROOT, "packages", "generators", "src", "cache", "cached-script.ts");
const RESOLVING = { isResolving: true };

/**
 * Returns the modules of the two scripts, of which `first` are those that the entry point reaches without an `import()` of anything but `started`;
 * `shared` are those of them that the others import, and `entries` the others that the first script imports when it needs them.
 */
export function splitModules({ inputs }, { entry, started }) {
  const followed = new Set(started);
  const first = reached(inputs, [entry], (each) => each.kind !== "dynamic-import" || followed.has(each.path));
  const unknown = started.filter((each) => !first.has(each));
  if (unknown.length > 0) throw new Error(`the program does not import ${unknown.join(", ")}`);
  const others = Object.keys(inputs).filter((each) => !first.has(each));
  const importsOf = (modules) => modules.flatMap((each) => inputs[each].imports).filter(isInside);
  return {
    first,
    shared: unique(importsOf(others).filter((each) => first.has(each.path))),
    entries: unique(importsOf([...first]).filter((each) => !first.has(each.path))),
  };
}

function reached(inputs, entries, isFollowed) {
  const found = new Set();
  const rest = [...entries];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    rest.push(...inputs[next].imports.filter((each) => isInside(each) && isFollowed(each)).map((each) => each.path));
  }
  return found;
}

// What is left outside has no state, and each script may have its own way to it.
function isInside({ path: name, external = false }) {
  return !external && !/^(?:outside|when-needed):/.test(name);
}

function unique(imports) {
  const names = new Set(imports.map((each) => each.path));
  return [...names].toSorted((one, other) => (one < other ? -1 : 1));
}

/** Returns the plugin of the first script: what it imports of the second is loaded then. */
export function loadsOthers({ entries, shared }, script) {
  const names = new Set(entries);
  const loader = `import { loadCachedScript } from ${JSON.stringify(CACHED_SCRIPT)};
    import { shared } from "split:shared";
    const [, , command = ""] = process.argv;
    const use = /^[a-z]+$/.test(command) ? command : "help";
    let others;
    export const load = (name) =>
      (others ??= loadCachedScript(new URL(${JSON.stringify(script)}, import.meta.url), { use }).open(shared, __import))[name]();`;
  return {
    name: "loads-others",
    setup(context) {
      resolveModules(context, (name) => (names.has(name) ? { path: name, namespace: "other" } : undefined));
      context.onResolve({ filter: /^split:/ }, ({ path: name }) => ({
        path: name.slice("split:".length),
        namespace: "split",
      }));
      context.onLoad({ filter: /^loader$/, namespace: "split" }, () => moduleOf(loader));
      context.onLoad({ filter: /^shared$/, namespace: "split" }, () =>
        moduleOf(`export const shared = ${tableOf(shared)};`),
      );
      context.onLoad({ filter: /^/, namespace: "other" }, ({ path: name }) =>
        moduleOf(`module.exports = require("split:loader").load(${JSON.stringify(name)});`),
      );
    },
  };
}

/** Returns the text of the second script's entry point, and its plugin: what the first script has is asked from that. */
export function othersEntry({ entries }) {
  return `import { opened } from "split:opened";
    export function open(shared, importModule) {
      Object.assign(opened, { shared, importModule });
      return ${tableOf(entries)};
    }`;
}

/** What the second script calls to import a module of Node: the first was given it by the launcher, which can. */
export const IMPORT_OF_OTHERS = 'require("split:opened").opened.importModule';

/** Returns the plugin of the second script. */
export function asksFirst({ first }) {
  return {
    name: "asks-first",
    setup(context) {
      resolveModules(context, (name, { path: specifier, importer }) => {
        if (!first.has(name)) return undefined;
        requireNames(importer, specifier, name);
        return { path: name, namespace: "first" };
      });
      context.onResolve({ filter: /^split:opened$/ }, () => ({ path: "opened", namespace: "split" }));
      context.onLoad({ filter: /^opened$/, namespace: "split" }, () => moduleOf("export const opened = {};"));
      context.onLoad({ filter: /^/, namespace: "first" }, ({ path: name }) =>
        moduleOf(`module.exports = require("split:opened").opened.shared[${JSON.stringify(name)}]();`),
      );
    },
  };
}

// By the name that esbuild's record has for a module.
function resolveModules(context, find) {
  context.onResolve({ filter: /^/ }, async (asked) => {
    if (asked.pluginData === RESOLVING || asked.kind === "entry-point" || asked.importer === "") return undefined;
    const { importer, namespace, resolveDir, kind } = asked;
    const found = await context.resolve(asked.path, { importer, namespace, resolveDir, kind, pluginData: RESOLVING });
    if (found.external || found.errors.length > 0) return undefined;
    return find(nameOf(found), asked);
  });
}

function nameOf({ path: file, namespace }) {
  return namespace === "file" ? path.relative(ROOT, file).replaceAll("\\", "/") : `${namespace}:${file}`;
}

// The default export of a module of Node's kind is all that a script returned.
function requireNames(importer, specifier, name) {
  if (!importer.endsWith(".ts") || !name.endsWith(".ts")) return;
  const lines = readFileSync(importer, "utf8").split("\n");
  const isDefault = (line) => /^import (?!type )\w/u.test(line) && line.endsWith(` from "${specifier}";`);
  if (lines.some((line) => isDefault(line))) throw new Error(`${importer} imports the default export of ${name}`);
}

// A call runs the module, the first time.
function tableOf(names) {
  const rows = names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(specifierOf(name))})`);
  return `{ ${rows.join(", ")} }`;
}

function specifierOf(name) {
  return name.includes(":") ? name : `./${name}`;
}

function moduleOf(contents) {
  return { contents, loader: "js", resolveDir: ROOT };
}
