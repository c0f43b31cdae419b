import { readFileSync } from "node:fs";
import path from "node:path";

import { structNames } from "@kubescaffold/k8s/tables";
import { expect, it } from "vitest";

import { ROOT } from "../../../../test/architecture/source-files.ts";
import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const API = path.join(ROOT, "packages", "k8s", "src", "api");

// The types that a field may have, by module: those of the tables that TypeScript has, too.
const TYPES = structNames()
  .map((name) => [name.slice(0, name.lastIndexOf(".")), name.slice(name.lastIndexOf(".") + 1)] as const)
  .filter(([module, name]) => new RegExp(`^export (?:interface|type) ${name}\\b`, "mu").test(read(`${module}.ts`)));

function read(file: string): string {
  try {
    return readFileSync(path.join(API, file), "utf8");
  } catch {
    return "";
  }
}

it(
  "every type of the Kubernetes API that the generator names is there to be imported",
  { timeout: 60_000 },
  async () => {
    const imports = TYPES.map(
      ([module, name], index) => `import type { ${name} as T${index} } from "@kubescaffold/k8s/${module}";`,
    );
    const fields = TYPES.map((_type, index) => `  f${index}?: T${index};`);
    const source = [
      "// +kubebuilder:ac:generate=true\n// +groupName=a.example.com",
      'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";',
      ...imports,
      `export interface Everything extends KubernetesObject {\n${fields.join("\n")}\n}`,
    ].join("\n");
    const { files, diagnostics } = await runGenerators({
      root: "/project",
      arguments: ["applyconfiguration", "paths=./..."],
      host: memoryHost({ "/project/v1/types.ts": source }),
    });
    expect(renderDiagnostics(diagnostics.filter(({ severity }) => severity === "error"))).toBe("");
    const used = [
      ...(files[0]?.content ?? "").matchAll(/import type \{([^}]*)\} from "@kubescaffold\/k8s\/(apply\/[^"]*)"/gu),
    ];
    const missing = used.flatMap(([, names = "", module = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().split(" as ")[0] ?? "")
        .filter((name) => name !== "" && !read(`${module}.ts`).includes(`export interface ${name} `))
        .map((name) => `${module} ${name}`),
    );
    expect(missing).toEqual([]);
    expect(used.length).toBeGreaterThan(10);
    const known = used.flatMap(([, names = ""]) => names.split(",").map((name) => name.trim().split(" as ").at(-1)));
    expect(known.filter((name, index) => name !== "" && known.indexOf(name) < index)).toEqual([]);
    expect(files[0]?.content).toMatch(/ServiceReferenceApply as ApiextensionsV1ServiceReferenceApply,/u);
  },
);
