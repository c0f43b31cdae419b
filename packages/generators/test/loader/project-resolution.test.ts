import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const SIZE = "export type Size = string;\n";

function types(module: string): string {
  return `// +groupName=example.com
import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";
import type { Size } from "${module}";
/** +kubebuilder:object:root=true */
export interface A extends NamespacedObject { spec: { size?: Size } }
`;
}

function config(compilerOptions: object): string {
  return JSON.stringify({ compilerOptions });
}

const BUNDLER = { module: "preserve", moduleResolution: "bundler" };
const PACKAGE = "/project/node_modules/sizes";

describe("a module of the sources", () => {
  it.each([
    [
      "of an alias without an extension, with bundler",
      "@lib/size",
      {
        "/project/tsconfig.json": config({ ...BUNDLER, paths: { "@lib/*": ["./lib/*"] } }),
        "/project/lib/size.ts": SIZE,
      },
    ],
    [
      "of an alias of a folder, with bundler",
      "@lib",
      { "/project/tsconfig.json": config({ ...BUNDLER, paths: { "@lib": ["./lib"] } }), "/project/lib/index.ts": SIZE },
    ],
    [
      "below baseUrl alone",
      "lib/size",
      { "/project/tsconfig.json": config({ ...BUNDLER, baseUrl: "." }), "/project/lib/size.ts": SIZE },
    ],
    [
      "of a custom condition",
      "sizes",
      {
        "/project/tsconfig.json": config({ ...BUNDLER, customConditions: ["source"] }),
        [`${PACKAGE}/package.json`]: JSON.stringify({ name: "sizes", exports: { ".": { source: "./src/index.ts" } } }),
        [`${PACKAGE}/src/index.ts`]: SIZE,
      },
    ],
    [
      "of a package with .d.mts",
      "sizes",
      {
        [`${PACKAGE}/package.json`]: JSON.stringify({ name: "sizes", exports: { ".": { types: "./index.d.mts" } } }),
        [`${PACKAGE}/index.d.mts`]: 'export * from "./size.mjs";\n',
        [`${PACKAGE}/size.d.mts`]: SIZE,
      },
    ],
    [
      "of a package with .d.cts for require alone",
      "sizes",
      {
        [`${PACKAGE}/package.json`]: JSON.stringify({
          name: "sizes",
          exports: { ".": { require: { types: "./index.d.cts", default: "./index.cjs" } } },
        }),
        [`${PACKAGE}/index.d.cts`]: 'export * from "./size.cjs";\n',
        [`${PACKAGE}/size.d.cts`]: SIZE,
      },
    ],
  ])("%s is found", async (_, module, files) => {
    const host = memoryHost({ "/project/api/v1/types.ts": types(module), ...files });
    const result = await runGenerators({ root: "/project", arguments: ["crd", "paths=./api/..."], host });
    expect(renderDiagnostics(result.diagnostics)).toBe("");
    expect(result.files[0]?.content).toContain("              size:\n                type: string\n");
  });
});

describe("a type that is computed from a value", () => {
  it.each(["z.infer<typeof Shape>", "ReturnType<typeof make>", "Infer<typeof Shape>"])(
    "is named so: %s",
    async (type) => {
      const source = types("./size.ts").replace("size?: Size", `size?: ${type}`);
      const host = memoryHost({ "/project/api/v1/types.ts": `import { z } from "zod";\n${source}` });
      const { diagnostics } = await runGenerators({ root: "/project", arguments: ["crd", "paths=./api/..."], host });
      expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
        ["GENERATE_UNSUPPORTED_TYPE", "a type that is computed from a value has no schema"],
      ]);
      expect(diagnostics[0]?.hint).toContain("declare the type itself");
    },
  );
});
