import { isBuiltin } from "node:module";
import path from "node:path";

import { build, type Plugin } from "esbuild";
import { expect, it } from "vitest";

import { ROOT } from "./source-files.ts";

const PROGRAM = "bin/scaffold.ts";
// The plugins that every command asks, help among them; those of users are loaded where there are some.
const ASKED = /^(?:plugins\/[a-z-]+\/index|src\/scaffolds\/base-plugin)\.ts$/u;
const OWN = /^@kubescaffold\/apiserver(?:\/cluster-api)?$/u;

it("the embedded server starts without the handlers, the admission plugins, the checks of most kinds, and the engine of patterns", async () => {
  const loaded = await loadedAtStart("packages/cluster/src/index.ts");
  expect(loaded).toContain("packages/apiserver/src/server/create-api-server.ts");
  expect(loaded.filter((file) => NOT_LOADED.some((pattern) => pattern.test(file)))).toEqual([]);
  expect(loaded).toContain("@kubescaffold/schema/values");
});

it("the first requests load no engine of patterns, and a cluster without Pods no containers", async () => {
  for (const module of ["handlers/dispatch.ts", "server/admission-plugins.ts"]) {
    const loaded = await loadedAtStart(`packages/apiserver/src/${module}`);
    expect(loaded).toContain("@kubescaffold/schema/values");
    expect(loaded).not.toContain("@kubescaffold/schema");
  }
  const loaded = await loadedAtStart("packages/cluster/src/index.ts");
  expect(loaded).toContain("packages/cluster/src/cluster/cluster-containers.ts");
  const containers = loaded.filter((file) => file.includes("/kubelet/containers/"));
  expect(containers.map((file) => path.basename(file)).toSorted()).toEqual(CONTAINERS_AT_START);
  for (const module of ["patches", "structured-merge"])
    expect(await loadedAtStart(`packages/schema/src/${module}.ts`)).not.toContain("re2js");
});

it("creates and updates load nothing of patches, applies, and scales", async () => {
  const loaded = await loadedAtStart("packages/apiserver/src/handlers/dispatch.ts");
  expect(loaded).toContain("packages/apiserver/src/handlers/update.ts");
  expect(loaded).toContain("@kubescaffold/schema/structured-merge");
  expect(loaded).not.toContain("@kubescaffold/schema/patches");
  expect(loaded.filter((file) => /\/handlers\/(?:apply|patch|scale)\.ts$/u.test(file))).toEqual([]);
  const fields = await loadedAtStart("packages/schema/src/structured-merge.ts");
  expect(fields.filter((file) => file.includes("/src/patch/"))).toEqual([]);
});

it("a command starts without the compiler, the schemas, the generators, and what else only some commands need", async () => {
  const loaded = await loadedAtStart(PROGRAM);
  expect(loaded).toContain("src/plugin/index.ts");
  const packages = loaded.filter((each) => /^[^./]+$|^@/u.test(each) && !isBuiltin(each));
  expect(packages.toSorted()).toEqual([
    "@kubescaffold/generators/diagnostics",
    "@kubescaffold/generators/typescript",
    "@kubescaffold/k8s",
    "@kubescaffold/k8s/yaml",
    "@kubescaffold/platform",
    "handlebars",
    "yaml",
  ]);
});

// What is loaded before the first statement of a program runs, or by its first statements: its own files, and the packages that they import.
async function loadedAtStart(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [path.join(ROOT, entry)],
    absWorkingDir: ROOT,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@kubescaffold/source"],
    plugins: [othersStayOutside()],
    splitting: true,
    outdir: "unused",
    write: false,
    metafile: true,
  });
  const loaded = new Set<string>();
  const add = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path: imported, kind, external } of metafile.inputs[file]?.imports ?? []) {
      const isAsked = file === PROGRAM && kind === "dynamic-import" && ASKED.test(imported);
      if (kind !== "import-statement" && !isAsked) continue;
      if (external === true) loaded.add(imported);
      else add(imported);
    }
  };
  add(entry);
  return [...loaded];
}

// The API server and the cluster around it are one program.
function othersStayOutside(): Plugin {
  return {
    name: "others-stay-outside",
    setup(context) {
      context.onResolve({ filter: /^[^.]/ }, ({ path: name, kind }) =>
        kind === "entry-point" || OWN.test(name) ? undefined : { path: name, external: true },
      );
    },
  };
}

// What Pods are described with, without what runs them.
const CONTAINERS_AT_START = ["connection-error.ts", "image-definitions.ts", "pod-faults.ts", "service-connections.ts"];

const NOT_LOADED = [
  /^@kubescaffold\/schema$/u,
  /^@kubescaffold\/k8s\/tables$/u,
  /\/src\/handlers\//u,
  /\/resources\/table\/built-in-columns\.ts$/u,
  /\/admission\/webhooks\//u,
  /\/rules\/(?:admission|autoscaling|devices|flowcontrol|networking|pod|policy|storage|workloads)\/[^/]+-(?:checks|errors)\.ts$/u,
  // What controllers load when they are needed first.
  /\/(?:scheduler|controllers\/(?:autoscaling|volumes|endpoints))\/[^/]*(?:scheduler|controller|binder)\.ts$/u,
];
