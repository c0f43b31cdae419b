import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const HEAD = `// +groupName=example.com
import type { KubernetesObject, ListOf, NamespacedObject, ObjectMeta, TypeMeta } from "@kubescaffold/k8s/meta/v1";
import type { NamespacedObject as Misplaced } from "@kubescaffold/k8s";
import type { NamespacedObject as Nowhere } from "./nowhere.ts";
interface Spec { size?: string }
type Meta = ObjectMeta;
`;
const ROOT = "/** +kubebuilder:object:root=true */\n";

async function generated(source: string): Promise<{ readonly crds: readonly string[]; readonly findings: string }> {
  const host = memoryHost({ "/project/api/v1/types.ts": HEAD + source });
  const { files, diagnostics } = await runGenerators({ root: "/project", arguments: ["crd", "paths=./..."], host });
  return { crds: files.map(({ content }) => content), findings: renderDiagnostics(diagnostics) };
}

describe("a type that is declared as a kind", () => {
  it.each([
    ["extends NamespacedObject", "export interface A extends NamespacedObject { spec?: Spec }"],
    [
      "omits the metadata and declares it",
      'export interface A extends Omit<NamespacedObject, "metadata"> { metadata: ObjectMeta; spec?: Spec }',
    ],
    [
      "picks the fields of an object",
      'export interface A extends Pick<KubernetesObject, "apiVersion" | "kind" | "metadata"> { spec?: Spec }',
    ],
    ["is read-only", "export type A = Readonly<NamespacedObject & { spec?: Spec }>;"],
    ["is read-only inside", "export interface A extends Readonly<NamespacedObject> { spec?: Spec }"],
    ["has metadata of another name", "export interface A extends TypeMeta { metadata: Meta; spec?: Spec }"],
    ["has read-only metadata", "export interface A extends TypeMeta { metadata: Readonly<ObjectMeta>; spec?: Spec }"],
  ])("gets the same CRD when it %s", async (_, source) => {
    const [usual, other] = [
      await generated(`${ROOT}export interface A extends NamespacedObject { spec?: Spec }`),
      await generated(ROOT + source),
    ];
    expect(other.findings).toBe("");
    expect(other.crds).toEqual(usual.crds);
    expect(other.crds).toHaveLength(1);
  });

  it.each([
    [
      `${ROOT}export interface A extends Misplaced { spec?: Spec }`,
      "NamespacedObject is imported from @kubescaffold/k8s, not from",
    ],
    [
      `${ROOT}export interface A extends Nowhere { spec?: Spec }`,
      'cannot find the type Nowhere: the module "./nowhere.ts" cannot be found',
    ],
    [`${ROOT}export interface A { spec?: Spec }`, "it extends neither KubernetesObject nor NamespacedObject"],
    [`${ROOT}export interface A extends Omit<NamespacedObject, "kind"> { spec?: Spec }`, "it extends neither"],
    [`${ROOT}export interface A extends TypeMeta { metadata: { name: string } }`, "its metadata is not ObjectMeta"],
    [`${ROOT}interface A extends NamespacedObject { spec?: Spec }`, "it is not exported"],
    [`${ROOT}export interface A<T> extends NamespacedObject { spec?: T }`, "it has type parameters"],
    [
      'export interface A { spec?: Spec }\nexport const A = defineKind<A>(GroupVersion, "A");',
      "defineKind declares A as a kind, but",
    ],
    [
      'interface A extends NamespacedObject { spec?: Spec }\nconst a = defineKind<A>(GroupVersion, "A");',
      "it is not exported",
    ],
  ])("is an error when it is none: %s", async (source, reason) => {
    const { crds, findings } = await generated(source);
    expect(crds).toEqual([]);
    expect(findings).toContain("error LOADER_NOT_A_KIND: ");
    expect(findings).toContain(reason);
    expect(findings).toMatch(/^ +\^$/mu);
  });

  it.each([
    "export type AList = ListOf<A>;\nexport interface A extends TypeMeta { port?: string }",
    "export interface AList extends TypeMeta { metadata: object; items: Spec[] }",
    "export interface Configuration extends TypeMeta { port?: string }",
  ])("may be a list or a configuration: %s", async (source) => {
    expect(await generated(ROOT + source)).toEqual({ crds: [], findings: "" });
  });
});
