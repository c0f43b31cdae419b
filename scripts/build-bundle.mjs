// Bundles bin/scaffold.ts into two scripts, dist/program.cjs and dist/commands.cjs, and ts-morph into another, dist/ts-morph.cjs; all are loaded through V8's
// code cache, the program by dist/scaffold.cjs. What other programs import is bundled into the modules of dist/library.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { writeSbom } from "./release/sbom.mjs";
import { compilerFile, compilerModule, compilerPlugin, namesOfCompiler } from "./slim-compiler.mjs";
import { sourceCommit } from "./source-commit.mjs";
import { asksFirst, IMPORT_OF_OTHERS, loadsOthers, othersEntry, splitModules } from "./split-program.mjs";
import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
// Tests and measurements build into another folder, and with the compiler as TypeScript ships it.
const WHOLE_COMPILER = process.argv.includes("--whole-compiler");
const DIST = path.resolve(ROOT, process.argv.slice(2).find((word) => !word.startsWith("--")) ?? "dist");
const COMPILER_USERS = [path.join(ROOT, "src"), path.join(ROOT, "packages", "generators", "src")];
// The folder whose modules only parse.
const CHECK_OF_SYNTAX = path.join(ROOT, "src", "machinery", "syntax");
const CACHED_SCRIPT = path.join(ROOT, "packages", "generators", "src", "cache", "cached-script.ts");
// Throws for what the bundle lacks. Returning the compiler from an async function reads its then.
const PROXY = `new Proxy({}, {
  get: (_, name) => {
    if (name === "then") return undefined;
    const library = load();
    if (!(name in library)) throw new TypeError("the program was built without " + String(name) + " of the compiler");
    return library[name];
  },
})`;
const RECORD_ALONE = { write: false, minifySyntax: false, minifyWhitespace: false };
// A script starts with no line for the shell.
const PROGRAM = { contents: 'import "./bin/scaffold.ts";', resolveDir: ROOT };
// What `scaffold init`, `create api`, and `create webhook` import when they need it: the program is what starts every command, and what these do.
const STARTED = [
  "cached:parser",
  "packages/k8s/src/yaml/index.ts",
  "plugins/autoupdate/index.ts",
  "plugins/deploy-image/index.ts",
  "plugins/grafana/index.ts",
  "plugins/helm/index.ts",
  "plugins/kustomize/index.ts",
  "src/cli/commands/create-api/another-version.ts",
  "src/cli/commands/create-api/run-create-api.ts",
  "src/cli/commands/create-webhook/run-create-webhook.ts",
  "src/cli/commands/init/run-init.ts",
  "src/cli/flags/boilerplate.ts",
  "src/cli/flags/parse-flags.ts",
  "src/cli/flags/plugin-flags.ts",
  "src/machinery/syntax/check-syntax.ts",
  "src/plugin/scaffold-context.ts",
  "src/scaffolds/base-plugin.ts",
];
// What `loadCachedScript` calls a script with.
const SCRIPT_PARAMETERS = ["exports", "require", "module", "__filename", "__dirname", "__import"];
const COMMON = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  conditions: ["@kubescaffold/source"],
  logLevel: "warning",
  legalComments: "none",
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  absWorkingDir: ROOT,
};

// Node modules that are loaded from where they are installed: they are large, have files of their own, or start servers.
const EXTERNAL = [
  "@kubescaffold/dashboard/cluster",
  "@kubescaffold/dashboard/development",
  "@kubescaffold/envtest",
  "@kubescaffold/envtest/descriptions",
  "@kubescaffold/envtest/kube-apiserver",
  "@kubescaffold/envtest/rehearse",
  "@kubescaffold/envtest/verify",
  "@kubescaffold/runtime",
  "esbuild",
  "tsx",
  "chokidar",
];

// What the package depends on. Of the generators a plugin needs little, which is bundled.
const DEPENDENCIES = ["k8s", "platform"].flatMap((name) => [`@kubescaffold/${name}`, `@kubescaffold/${name}/*`]);

// Libraries in CommonJS form ask for the modules of Node.
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

const metafiles = (await Promise.all([bundleProgram(), bundleTsMorph(), bundleTsParser(), bundleLibrary()])).flat();
const launcher = await bundleLauncher();
chmodSync(path.join(DIST, "scaffold.cjs"), 0o755);
writeFileSync(path.join(DIST, "THIRD-PARTY-LICENSES.md"), thirdPartyLicenses(metafiles));
writeSbom({ folder: ROOT, outputs: DIST, metafiles: [...metafiles, launcher.metafile] });

async function bundleProgram() {
  const { metafile } = await build({ ...COMMON, ...programOptions([]), ...RECORD_ALONE, stdin: PROGRAM });
  const split = splitModules(metafile, { entry: "<stdin>", started: STARTED });
  return await Promise.all([
    bundleScript("program.cjs", { ...programOptions([loadsOthers(split, "./commands.cjs")]), stdin: PROGRAM }),
    bundleScript("commands.cjs", {
      ...programOptions([asksFirst(split)], IMPORT_OF_OTHERS),
      stdin: { contents: othersEntry(split), resolveDir: ROOT },
    }),
  ]);
}

function programOptions(plugins, importFunction = "__import") {
  return {
    format: "cjs",
    define: { "import.meta.url": "__moduleUrl", __BUILD_FACTS__: JSON.stringify(sourceCommit(ROOT)) },
    // Modules of Node are required where sources import them when they are needed: a script cannot call `import()`.
    supported: { "dynamic-import": false },
    banner: { js: 'const __moduleUrl=require("node:url").pathToFileURL(__filename).href;' },
    plugins: [
      ...plugins,
      selfReference(),
      leaveOutside(importFunction),
      processesWhenNeeded(),
      tsMorphThroughCache("./ts-morph.cjs", "./ts-parser.cjs"),
      celInAscii(),
    ],
  };
}

// Of the library only the compiler inside is used, and of that what our sources name: to read and run the rest would take six times as long.
function bundleTsMorph() {
  return bundleCompiler("ts-morph.cjs", namesOfCompiler(COMPILER_USERS));
}

function bundleCompiler(name, names) {
  const whole = `import compiler from "compiler"; const { ${names.join(", ")} } = compiler; export const ts = { ${names.join(", ")} };`;
  return bundleScript(name, {
    stdin: { contents: WHOLE_COMPILER ? whole : compilerModule(names), resolveDir: ROOT },
    define: { performance: "undefined" },
    // Nobody reads its stacks, and half the text is read in half the time.
    minifyIdentifiers: true,
    plugins: [WHOLE_COMPILER ? compilerPlugin(names, () => inAscii(compilerFile())) : compilerPlugin(names)],
  });
}

// What parses the scripts that a command is about to write, which is a part of the compiler: commands that need no more load it in two thirds of the time.
function bundleTsParser() {
  return bundleCompiler("ts-parser.cjs", namesOfCompiler([CHECK_OF_SYNTAX]));
}

// Both modules share what they have in common, so that no class exists twice. The templates that a plugin has are its own business.
async function bundleLibrary() {
  const folder = path.join(DIST, "library");
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    ...COMMON,
    entryPoints: { index: "src/index.ts", plugin: "src/plugin/index.ts" },
    outdir: folder,
    splitting: true,
    format: "esm",
    external: [...DEPENDENCIES, ...EXTERNAL],
    banner: { js: REQUIRE },
    plugins: [tsMorphThroughCache("../ts-morph.cjs")],
  });
  return metafile;
}

// The hash at the end tells the caches of two builds apart. The function is written here, since to put millions of characters into one takes time.
async function bundleScript(name, options) {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    ...options,
    format: "cjs",
    outfile: path.join(DIST, name),
    write: false,
  });
  const text = `(function(${SCRIPT_PARAMETERS.join(",")}){${outputFiles[0].text}})\n`;
  const foreign = /[^\0-\x7F]/.exec(text);
  if (foreign !== null) {
    const place = text.slice(Math.max(0, foreign.index - 60), foreign.index + 20);
    throw new Error(
      `${name} is not ASCII, as which it is read, at: ${place} (write \\u escapes in regular expressions)`,
    );
  }
  mkdirSync(DIST, { recursive: true });
  writeFileSync(path.join(DIST, name), `${text}//${createHash("sha256").update(text).digest("hex")}\n`);
  return metafile;
}

// Every command runs other functions: each has a code cache of its own, which is kept only when the command is one. Help needs the fewest.
// The launcher is compiled for old versions of Node, so that they print which version is required.
function bundleLauncher() {
  const contents = `import { requireNode } from "./packages/runtime/src/node-version/require-node.ts";
    import { loadCachedScript } from "./packages/generators/src/cache/cached-script.ts";
    function isSupported() {
      try {
        requireNode(process.versions.node, "kubescaffold");
        return true;
      } catch (error) {
        console.error("error: " + error.message + " [" + error.code + "]");
        return false;
      }
    }
    const [, , command = ""] = process.argv;
    const use = /^[a-z]+$/.test(command) ? command : "help";
    if (isSupported()) loadCachedScript(new URL("./program.cjs", import.meta.url), { use });
    else process.exitCode = 1;`;
  return build({
    ...COMMON,
    target: "node14",
    stdin: { contents, resolveDir: ROOT },
    outfile: path.join(DIST, "scaffold.cjs"),
    // A module would make Node load its loader of modules, which takes longer than to run this.
    format: "cjs",
    define: { "import.meta.url": "__launcherUrl" },
    banner: {
      js: '#!/usr/bin/env node\nconst __launcherUrl=require("url").pathToFileURL(__filename).href;',
    },
  });
}

// esbuild escapes characters of texts, but not of regular expressions.
function inAscii(file) {
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return readFileSync(file, "utf8").replaceAll(/[^\0-\x7F]/g, escape);
}

function celInAscii() {
  return {
    name: "cel-in-ascii",
    setup(context) {
      context.onLoad({ filter: /[\\/]node_modules[\\/]@marcbachmann[\\/]cel-js[\\/].*\.js$/ }, ({ path: file }) => ({
        contents: inAscii(file),
        loader: "js",
      }));
    },
  };
}

function selfReference() {
  return {
    name: "self-reference",
    setup(context) {
      context.onResolve({ filter: /^kubescaffold\/plugin$/ }, () => ({
        path: path.join(ROOT, "src", "plugin", "index.ts"),
      }));
    },
  };
}

// A script cannot call `import()`: it gets a module that is its own promise, made by the loader's `__import`.
function leaveOutside(importFunction) {
  return {
    name: "leave-outside",
    setup(context) {
      context.onResolve({ filter: /^[^.]/ }, ({ path: name, kind }) => {
        if (!EXTERNAL.includes(name)) return undefined;
        return kind === "dynamic-import" ? { path: name, namespace: "outside" } : { path: name, external: true };
      });
      context.onLoad({ filter: /^/, namespace: "outside" }, ({ path: name }) => ({
        contents: `export function then(resolve, reject) { ${importFunction}(${JSON.stringify(name)}).then(resolve, reject); }`,
        resolveDir: ROOT,
      }));
    },
  };
}

// The library of command lines loads what starts processes, for commands that are programs of their own; ours are none.
function processesWhenNeeded() {
  return {
    name: "processes-when-needed",
    setup(context) {
      context.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
          ? { path: "processes", namespace: "when-needed" }
          : undefined,
      );
      context.onLoad({ filter: /^/, namespace: "when-needed" }, () => ({
        contents: `exports.spawn = (...words) => require("node:child_process").spawn(...words);`,
        loader: "js",
      }));
    },
  };
}

// The compiler is large, so it is loaded when something of it is asked for: sources that are remembered need none of it. What only parses gets the
// parser, unless the whole is loaded already.
function tsMorphThroughCache(script, parser) {
  const modules = {
    library: `let library;
      export const loaded = () => library;
      export const load = () => (library ??= loadCachedScript(new URL(${JSON.stringify(script)}, import.meta.url)).ts);`,
    compiler: `import { load } from "cached:library"; export const ts = ${PROXY};`,
    parser: `import { loaded } from "cached:library";
      let parser;
      const load = () => loaded() ?? (parser ??= loadCachedScript(new URL(${JSON.stringify(parser)}, import.meta.url)).ts);
      export const ts = ${PROXY};`,
  };
  return {
    name: "ts-morph-through-cache",
    setup(context) {
      context.onResolve({ filter: /^ts-morph$/ }, ({ importer }) => {
        const isParser = parser !== undefined && path.dirname(importer) === CHECK_OF_SYNTAX;
        return { path: isParser ? "parser" : "compiler", namespace: "cached" };
      });
      context.onResolve({ filter: /^cached:/ }, ({ path: name }) => ({
        path: name.slice("cached:".length),
        namespace: "cached",
      }));
      context.onLoad({ filter: /^/, namespace: "cached" }, ({ path: name }) => ({
        contents: `import { loadCachedScript } from ${JSON.stringify(CACHED_SCRIPT)};\n${modules[name]}`,
        loader: "js",
        resolveDir: ROOT,
      }));
    },
  };
}
