import { describe, expect, it } from "vitest";

import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const KIND = "export interface Widget extends KubernetesObject { spec: Spec }";

describe("types of other files", () => {
  it.each([
    ["by name", 'import type { Spec } from "../shared/types.ts";', {}],
    [
      "under another name",
      'import type { Base as Spec } from "../shared/renamed.ts";',
      {
        "/p/shared/renamed.ts": 'export { Spec as Base } from "./types.ts";',
      },
    ],
    [
      "through a file that exports everything of another",
      'import { type Spec } from "../shared/index.ts";',
      {
        "/p/shared/index.ts": 'export * from "./middle.ts";',
        "/p/shared/middle.ts": 'export * from "./types.ts";',
      },
    ],
    [
      "through a name for a whole module",
      'import type { shared } from "../shared/index.ts"; type Spec = shared.Spec;',
      {
        "/p/shared/index.ts": 'export * as shared from "./types.ts";',
      },
    ],
    [
      "through an import that is exported again",
      'import type { Spec } from "../shared/index.ts";',
      {
        "/p/shared/index.ts": 'import type { Spec } from "./types.ts"; export type { Spec };',
      },
    ],
    [
      "as the default export",
      'import type Spec from "../shared/index.ts";',
      {
        "/p/shared/index.ts": 'export { Spec as default } from "./types.ts";',
      },
    ],
    ["by its whole module", 'import type * as shared from "../shared/types.ts"; type Spec = shared.Spec;', {}],
    ["in place", 'type Spec = import("../shared/types.ts").Spec;', {}],
    ["without an ending", 'import type { Spec } from "../shared/types";', {}],
    ["with the ending of the compiled file", 'import type { Spec } from "../shared/types.js";', {}],
    ["of a folder", 'import type { Spec } from "../shared";', { "/p/shared/index.ts": 'export * from "./types.ts";' }],
    [
      "of an installed package by its types",
      'import type { Spec } from "widgets";',
      {
        "/p/node_modules/widgets/package.json": '{ "name": "widgets", "types": "lib/index.d.ts" }',
        "/p/node_modules/widgets/lib/index.d.ts": 'export * from "./types.js";',
        "/p/node_modules/widgets/lib/types.d.ts": sharedTypes(),
      },
    ],
    [
      "of an installed package by its exports",
      'import type { Spec } from "@scope/widgets/api";',
      {
        "/p/node_modules/@scope/widgets/package.json":
          '{ "name": "@scope/widgets", "type": "module", "exports": { "./api": { "types": "./dist/api.d.ts", "default": "./dist/api.js" } } }',
        "/p/node_modules/@scope/widgets/dist/api.d.ts": sharedTypes(),
      },
    ],
    [
      "of an installed package in TypeScript",
      'import type { Spec } from "widgets";',
      {
        "/p/node_modules/widgets/package.json": '{ "name": "widgets", "type": "module", "exports": "./src/index.ts" }',
        "/p/node_modules/widgets/src/index.ts": sharedTypes(),
      },
    ],
    [
      "by an import map of the package",
      'import type { Spec } from "#shared/types.ts";',
      {
        "/p/package.json": '{ "name": "p", "type": "module", "imports": { "#shared/*": "./shared/*" } }',
      },
    ],
    [
      "by a path of tsconfig.json",
      'import type { Spec } from "@shared/types.ts";',
      {
        "/p/tsconfig.json": '{ /* a comment */ "compilerOptions": { "paths": { "@shared/*": ["./shared/*"] } } }',
      },
    ],
    [
      "by a path of a tsconfig.json that another one gives",
      'import type { Spec } from "@shared";',
      {
        "/p/tsconfig.json": '{ "extends": "./config/tsconfig.base.json" }',
        "/p/config/tsconfig.base.json": '{ "compilerOptions": { "paths": { "@shared": ["../shared/types.ts"] } } }',
      },
    ],
  ])("are found %s", async (_, imports, files) => {
    const result = await generate(`${imports}\n${KIND}`, files);
    expect(result.diagnostics).toEqual([]);
    expect(result.files[0]?.content).toContain("maxLength: 5");
  });

  it("take markers of the property that uses them", async () => {
    const result = await generate(
      `import type { Names, Spec } from "widgets";
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:MaxItems=3
  // +listType=set
  // +kubebuilder:validation:items:MinLength=2
  names: Names;
  // +kubebuilder:validation:MinProperties=1
  spec: Spec;
}`,
      {
        "/p/node_modules/widgets/package.json": '{ "name": "widgets", "types": "index.d.ts" }',
        "/p/node_modules/widgets/index.d.ts": `${sharedTypes()}\nexport type Names = string[];`,
      },
    );
    expect(result.diagnostics).toEqual([]);
    const content = result.files[0]?.content ?? "";
    for (const line of ["maxItems: 3", "x-kubernetes-list-type: set", "minLength: 2", "minProperties: 1"]) {
      expect(content).toContain(line);
    }
  });

  it("that no module has are named with the module", async () => {
    const result = await generate(`import type { Spec } from "widgets";\n${KIND}`, {});
    expect(result.diagnostics.map(({ code, message }) => ({ code, message }))).toEqual([
      { code: "GENERATE_UNKNOWN_TYPE", message: 'cannot find the type Spec: the module "widgets" cannot be found' },
    ]);
  });
});

function sharedTypes(): string {
  return "export interface Spec {\n  /** +kubebuilder:validation:MaxLength=5 */\n  name: string;\n}";
}

function generate(text: string, files: Readonly<Record<string, string>>): Promise<GenerateResult> {
  const head = '// +groupName=g.example.com\nimport type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\n';
  return runGenerators({
    root: "/p",
    arguments: ["crd", "paths=./v1"],
    host: memoryHost({ "/p/shared/types.ts": sharedTypes(), "/p/v1/a.ts": head + text, ...files }),
  });
}
