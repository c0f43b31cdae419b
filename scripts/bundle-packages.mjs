// Bundles what each package exports, over what the compiler wrote there: a program that imports a package then reads a few files and not
// hundreds, which is most of what starting it costs. Packages import one another as before, so that no class exists twice.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";

import { dashboardMetafile } from "./build-dashboard.mjs";
import { ROOT } from "./ensure-installed.mjs";
import { exportedSources, joinedSources, canonicalSpecifiers } from "./exported-sources.mjs";
import { mergeChunks } from "./merge-chunks.mjs";
import { writeSbom } from "./release/sbom.mjs";
import { compilerModule, compilerPlugin, namesOfCompiler } from "./slim-compiler.mjs";
import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const NODE_CHECK = ["src", "node-version", "check-node.ts"];
const PACKAGES = path.join(ROOT, "packages");

// Node resolves each name that a module imports before it sees that two lead to one file.
const CANONICAL = canonicalSpecifiers(PACKAGES);

// What users install without it is smaller by half: what lies inside needs neither its own dependencies nor its maps, and loads in a third of the time.
const INLINED = [
  "@bufbuild/protobuf/wire",
  "@peculiar/x509",
  "commander",
  "compiler",
  "croner",
  "execa",
  "picomatch",
  "reflect-metadata",
  "tar-stream",
  "yaml",
];

// Some of it is in CommonJS form, and asks for the modules of Node.
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';
const WITH_REQUIRE = ["envtest", "generators", "runtime"];

const WITH_COMPILER = "generators";

// What a program that imports these loads together: at its start, then with its first request. Other entry points of the package may load more than they need:
// small chunks, or all of a merged file that has its entry point, too. What only our own packages import is merged into one file with its entry point.
const START = "chunks/start.js";
const LOADED_TOGETHER = {
  apiserver: [{ source: "cluster-api.ts" }, { source: "handlers/dispatch.ts" }],
  cluster: [{ source: "index.ts", merged: START, isWhole: true }],
  k8s: [{ source: "index.ts", merged: START }, { source: "tables/schemas.ts" }],
  runtime: [{ source: "index.ts", merged: START }],
  schema: [{ source: "values.ts" }, { source: "structured-merge.ts" }],
};

// The page of the dashboard is among its files.
const WITH_DASHBOARD = "dashboard";

await Promise.all(readdirSync(PACKAGES).map((name) => bundlePackage(path.join(PACKAGES, name))));

async function bundlePackage(folder) {
  const entryPoints = exportedSources(folder);
  if (entryPoints.length === 0) return;
  const { metafile: whole } = await build({
    entryPoints,
    outbase: path.join(folder, "src"),
    outdir: path.join(folder, "dist"),
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    plugins: [...compilerIn(folder), joinedSources(), dependenciesStayOutside(), checkStaysOutside()],
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    target: "node20.19",
    ...bannerOf(path.basename(folder)),
    logLevel: "warning",
    metafile: true,
    absWorkingDir: ROOT,
  });
  const metafile = withReachedOutputs(folder, whole, entryPoints);
  removeUnbundled(folder, metafile);
  removeBareImports(folder, metafile);
  const groups = (LOADED_TOGETHER[path.basename(folder)] ?? []).map((group) => ({
    ...group,
    source: path.join(folder, "src", group.source),
  }));
  await mergeChunks({ dist: path.join(folder, "dist"), metafile, groups });
  await addNodeCheck(folder);
  const metafiles = path.basename(folder) === WITH_DASHBOARD ? [metafile, dashboardMetafile()] : [metafile];
  writeSbom({ folder, outputs: path.join(folder, "dist"), metafiles });
  if (metafiles.some(({ inputs }) => Object.keys(inputs).some((input) => input.includes("node_modules/"))))
    writeFileSync(path.join(folder, "dist", "THIRD-PARTY-LICENSES.md"), thirdPartyLicenses(metafiles));
}

// The compiler asks whether the file system tells its own name from one in capitals.
function bannerOf(name) {
  if (!WITH_REQUIRE.includes(name)) return {};
  return { banner: { js: name === WITH_COMPILER ? `${REQUIRE} const __filename = import.meta.filename;` : REQUIRE } };
}

// esbuild writes a chunk for each `import()`, also for one in a function that nothing uses.
function withReachedOutputs(folder, { inputs, outputs }, entryPoints) {
  const reached = new Set();
  const rest = entryPoints.map(({ out }) =>
    path.relative(ROOT, path.join(folder, "dist", `${out}.js`)).replaceAll("\\", "/"),
  );
  for (let output = rest.pop(); output !== undefined; output = rest.pop()) {
    if (reached.has(output)) continue;
    reached.add(output);
    rest.push(...(outputs[output]?.imports ?? []).filter(({ external }) => external !== true).map((each) => each.path));
  }
  return { inputs, outputs: Object.fromEntries(Object.entries(outputs).filter(([output]) => reached.has(output))) };
}

// What the compiler wrote for modules that are inside the bundles now, and the chunks that no export leads to, of this build or an earlier one.
function removeUnbundled(folder, { outputs }) {
  for (const name of readdirSync(path.join(folder, "dist"), { recursive: true, encoding: "utf8" })) {
    const file = path.join(folder, "dist", name);
    const output = path.relative(ROOT, file).replaceAll("\\", "/");
    if (name.endsWith(".js") && !isOfPage(folder, name) && !(output in outputs)) rmSync(file);
  }
}

// What Vite built is bundled already.
function isOfPage(folder, name) {
  return path.basename(folder) === WITH_DASHBOARD && name.startsWith(`page${path.sep}`);
}

// What is imported for its effects alone has none in a package that says so, and bundlers of programs warn of each such line.
function removeBareImports(folder, { outputs }) {
  const { sideEffects } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  if (sideEffects === undefined) return;
  for (const output of Object.keys(outputs)) {
    const file = path.join(ROOT, output);
    const text = readFileSync(file, "utf8");
    const kept = text.replaceAll(/^import "\.[^"\n]+";\n/gmu, "");
    if (kept !== text) writeFileSync(file, kept);
  }
}

// The check of the version of Node is imported first, and compiled for versions that cannot even parse the rest.
async function addNodeCheck(folder) {
  const source = path.join(folder, ...NODE_CHECK);
  if (!existsSync(source)) return;
  await build({
    entryPoints: [source],
    outfile: path.join(folder, "dist", "check-node.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node14",
    logLevel: "warning",
  });
  const index = path.join(folder, "dist", "index.js");
  writeFileSync(index, `import "./check-node.js";\n${readFileSync(index, "utf8")}`);
}

// Of ts-morph only the compiler inside is used, and of that what the sources name.
function compilerIn(folder) {
  if (path.basename(folder) !== WITH_COMPILER) return [];
  const names = namesOfCompiler([path.join(folder, "src")]);
  const slim = {
    name: "slim-compiler",
    setup(context) {
      context.onResolve({ filter: /^ts-morph$/ }, () => ({ path: "ts-morph", namespace: "slim" }));
      const module = { contents: compilerModule(names), resolveDir: ROOT };
      context.onLoad({ filter: /^ts-morph$/, namespace: "slim" }, () => module);
    },
  };
  return [slim, compilerPlugin(names)];
}

function checkStaysOutside() {
  return {
    name: "check-stays-outside",
    setup(context) {
      context.onResolve({ filter: /\/check-node\.ts$/ }, () => ({ path: "./check-node.js", external: true }));
    },
  };
}

function dependenciesStayOutside() {
  return {
    name: "dependencies-stay-outside",
    setup(context) {
      context.onResolve({ filter: /^[^.]/ }, ({ path: name, kind, importer }) => {
        const isInlined = INLINED.includes(name) || importer.includes(`${path.sep}node_modules${path.sep}`);
        return kind === "entry-point" || isInlined ? undefined : { path: CANONICAL.get(name) ?? name, external: true };
      });
    },
  };
}
