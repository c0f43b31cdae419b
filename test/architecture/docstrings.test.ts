import { readFileSync } from "node:fs";
import path from "node:path";

import { type ExportedDeclarations, Node, Project, ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { ROOT } from "./source-files.ts";

const ENTRY_POINTS = [
  "src/plugin/index.ts",
  "packages/k8s/src/index.ts",
  "packages/k8s/src/yaml/index.ts",
  "packages/k8s/src/tables/index.ts",
  "packages/k8s/src/api/meta/v1.ts",
  "packages/schema/src/index.ts",
  "packages/runtime/src/index.ts",
  "packages/apiserver/src/index.ts",
  "packages/envtest/src/index.ts",
];

describe("public entry points", () => {
  const project = new Project({
    compilerOptions: {
      customConditions: ["@kubescaffold/source"],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
    },
    skipAddingFilesFromTsConfig: true,
  });

  it.each(ENTRY_POINTS)("every export of %s has a docstring", (entryPoint) => {
    const source = project.addSourceFileAtPath(path.join(ROOT, entryPoint));
    project.resolveSourceFileDependencies();
    const undocumented = [...source.getExportedDeclarations()]
      .filter(([, declarations]) => !declarations.some((declaration) => isDocumented(declaration)))
      .map(([name]) => name);
    expect(undocumented).toEqual([]);
  });

  it.each(ENTRY_POINTS.filter((file) => file.endsWith("index.ts")))(
    "%s opens with a paragraph on what it is",
    (entryPoint) => {
      expect(readFileSync(path.join(ROOT, entryPoint), "utf8").startsWith("/**")).toBe(true);
    },
  );
});

function isDocumented(declaration: ExportedDeclarations): boolean {
  if (Node.isSourceFile(declaration)) return true;
  const holder = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatement() : declaration;
  return Node.isJSDocable(holder) && holder.getJsDocs().length > 0;
}
