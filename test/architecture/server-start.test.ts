import path from "node:path";

import { build, type Plugin } from "esbuild";
import { expect, it } from "vitest";

import { ROOT } from "./source-files.ts";

const ENTRY = "packages/cluster/src/index.ts";
const OWN = /^@kubescaffold\/apiserver(?:\/cluster-api)?$/u;

it("the embedded server starts without the handlers, the admission plugins, the checks of most kinds, and the engine of patterns", async () => {
  const { metafile } = await build({
    entryPoints: [path.join(ROOT, ENTRY)],
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
      if (kind !== "import-statement") continue;
      if (external === true) loaded.add(imported);
      else add(imported);
    }
  };
  add(ENTRY);
  expect(loaded).toContain("packages/apiserver/src/server/create-api-server.ts");
  expect([...loaded].filter((file) => NOT_LOADED.some((pattern) => pattern.test(file)))).toEqual([]);
  expect(loaded).toContain("@kubescaffold/schema/values");
});

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
