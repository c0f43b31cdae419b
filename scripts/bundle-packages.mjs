// Bundles what each package exports, over what the compiler wrote there: a program that imports a package then reads a few files and not
// hundreds, which is most of what starting it costs. Packages import one another as before, so that no class exists twice.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";

import { ROOT } from "./ensure-installed.mjs";
import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const PACKAGES = path.join(ROOT, "packages");

// The certificate library is some hundred files of its own: inside it loads in a third of the time.
const INLINED = ["@peculiar/x509", "reflect-metadata"];

await Promise.all(readdirSync(PACKAGES).map((name) => bundlePackage(path.join(PACKAGES, name))));

async function bundlePackage(folder) {
  const entryPoints = exportedSources(folder);
  if (entryPoints.length === 0) return;
  const { metafile } = await build({
    entryPoints,
    outbase: path.join(folder, "src"),
    outdir: path.join(folder, "dist"),
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    plugins: [dependenciesStayOutside()],
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    target: "node20.19",
    logLevel: "warning",
    metafile: true,
    absWorkingDir: ROOT,
  });
  removeUnbundled(folder, metafile);
  if (Object.keys(metafile.inputs).some((input) => input.includes("node_modules/")))
    writeFileSync(path.join(folder, "dist", "THIRD-PARTY-LICENSES.md"), thirdPartyLicenses([metafile]));
}

// What the compiler wrote for modules that are inside the bundles now, and the chunks of earlier builds: no export leads there any more.
function removeUnbundled(folder, { outputs }) {
  for (const name of readdirSync(path.join(folder, "dist"), { recursive: true, encoding: "utf8" })) {
    const file = path.join(folder, "dist", name);
    const output = path.relative(ROOT, file).replaceAll("\\", "/");
    if (name.endsWith(".js") && !(output in outputs)) rmSync(file);
  }
}

// A pattern stands for every file that it fits.
function exportedSources(folder) {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) return [];
  const { exports } = JSON.parse(readFileSync(file, "utf8"));
  const patterns = Object.values(exports).flatMap((target) => target["@kubescaffold/source"] ?? []);
  return patterns.flatMap((pattern) => {
    const [start, end] = pattern.split("*");
    if (end === undefined) return [path.join(folder, pattern)];
    return readdirSync(path.join(folder, start), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end))
      .map((name) => path.join(folder, start, name));
  });
}

function dependenciesStayOutside() {
  return {
    name: "dependencies-stay-outside",
    setup(context) {
      context.onResolve({ filter: /^[^.]/ }, ({ path: name, kind, importer }) => {
        const isInlined = INLINED.includes(name) || importer.includes(`${path.sep}node_modules${path.sep}`);
        return kind === "entry-point" || isInlined ? undefined : { path: name, external: true };
      });
    },
  };
}
