import { expect, it } from "vitest";

import { loadTypes } from "../../src/loader/load-types.ts";
import { memoryHost } from "../support/memory-host.ts";

const KIND = `import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Shared } from "../shared/types.ts";
export interface Widget extends KubernetesObject { shared: Shared }`;

it("a package that is only imported may say that its properties are optional, in the sources that are reached or in those that speak for it", () => {
  const files = { "/p/shared/types.ts": "export interface Shared { a: string }" };
  const marker = "// +kubebuilder:validation:Optional\n\nexport {};";
  expect([...optionalFiles({ ...files, "/p/shared/doc.ts": marker })]).toEqual(["shared/types.ts"]);
  expect([...optionalFiles({ ...files, "/p/shared/groupversion_info.ts": marker })]).toEqual(["shared/types.ts"]);
  const own = `// +kubebuilder:validation:Optional\n\n${files["/p/shared/types.ts"]}`;
  expect([...optionalFiles({ "/p/shared/types.ts": own })]).toEqual(["shared/types.ts"]);
  expect([...optionalFiles({ ...files, "/p/doc.ts": marker })]).toEqual([]);
});

it("the marker of a property says nothing of its package", () => {
  const text = "export interface Shared {\n  // +kubebuilder:validation:Optional\n  a: string;\n}";
  expect([...optionalFiles({ "/p/shared/types.ts": text })]).toEqual([]);
});

function optionalFiles(files: Readonly<Record<string, string>>): ReadonlySet<string> {
  const host = memoryHost({ "/p/v1/types.ts": KIND, ...files });
  return loadTypes({ host, root: "/p", paths: ["./v1"] }).model.optionalFiles;
}
