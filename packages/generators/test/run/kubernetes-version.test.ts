import { KUBERNETES_MINOR, type KubernetesMinor, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { expect, it } from "vitest";

import { createProcessCaches } from "../../src/run/process-caches.ts";
import type { RunCaches } from "../../src/run/process-caches.ts";
import { type GenerateResult, runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const sourceOf = (type: string, marker = ""): string => `// +groupName=demo.example.com
// +kubebuilder:object:generate=true
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { ${type} } from "@kubescaffold/k8s/core/v1";
${marker}export interface Widget extends KubernetesObject {
  spec: ${type};
  tags?: string[];
}
`;

async function generate(
  source: string,
  kubernetesVersion?: KubernetesMinor,
  caches?: RunCaches,
): Promise<Pick<GenerateResult, "diagnostics"> & { readonly text: string }> {
  const { files, diagnostics } = await runGenerators({
    root: "/p",
    arguments: ["crd", "object", "paths=./..."],
    host: memoryHost({ "/p/v1/types.ts": source }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(caches === undefined ? {} : { caches }),
  });
  return { diagnostics, text: files.map(({ content }) => content).join("\n") };
}

const POD = sourceOf("PodSpec");

it("the fields of built-in structs are those of the version", async () => {
  const texts = new Map<KubernetesMinor, string>();
  for (const minor of SUPPORTED_MINORS) texts.set(minor, (await generate(POD, minor)).text);
  const minorsWith = (field: string): readonly string[] =>
    SUPPORTED_MINORS.filter((minor) => texts.get(minor)?.includes(`${field}:\n`));
  expect(minorsWith("workloadRef")).toEqual(["1.35"]);
  expect(minorsWith("schedulingGroup")).toEqual(["1.36", "1.37"]);
  expect((await generate(POD)).text).toBe(texts.get(KUBERNETES_MINOR));
});

it("generated schemas import the structs of the version", async () => {
  const imports: (string | undefined)[] = [];
  for (const minor of SUPPORTED_MINORS)
    imports.push(/"@kubescaffold\/schema\/structs[^"]*"/u.exec((await generate(POD, minor)).text)?.[0]);
  expect(imports).toEqual([
    '"@kubescaffold/schema/structs/1.34"',
    '"@kubescaffold/schema/structs"',
    '"@kubescaffold/schema/structs/1.36"',
    '"@kubescaffold/schema/structs/1.37"',
  ]);
});

it("caches of a process do not mix versions", async () => {
  const caches = createProcessCaches();
  for (const minor of [...SUPPORTED_MINORS, ...SUPPORTED_MINORS])
    expect(await generate(POD, minor, caches)).toEqual(await generate(POD, minor));
});

it("a type that the version lacks is an error that names the version", async () => {
  const source = sourceOf("WorkloadReference");
  expect((await generate(source, "1.35")).diagnostics).toEqual([]);
  const { diagnostics, text } = await generate(source, "1.34");
  expect(text).toBe("");
  expect(diagnostics).toMatchObject([
    {
      code: "GENERATE_UNKNOWN_TYPE",
      file: "v1/types.ts",
      line: 6,
      message: "Kubernetes 1.34 has no type WorkloadReference with a schema in @kubescaffold/k8s/core/v1",
    },
  ]);
});

it("a CEL function that new rules cannot call in the version is an error that names the version", async () => {
  const marker = '/** +kubebuilder:validation:XValidation:rule="self.tags.distinct() == self.tags" */\n';
  const source = sourceOf("SecretReference", marker).replace(
    "tags?: string[]",
    "/** +kubebuilder:validation:MaxItems=9 */\n  tags: string[]",
  );
  for (const minor of ["1.35", "1.36", "1.37"] as const)
    expect((await generate(source, minor)).diagnostics).toEqual([]);
  expect((await generate(source, "1.34")).diagnostics).toMatchObject([
    {
      code: "CRD_RULE_INVALID",
      file: "v1/types.ts",
      line: 5,
      message: "the rule does not compile: undeclared reference to 'distinct' (in container '')",
      hint: expect.stringMatching(/since Kubernetes 1\.35, and this project is for 1\.34/u),
    },
  ]);
});
