import { printYamlDocuments } from "@kubescaffold/k8s/yaml";

import type { GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import type { ManifestResult } from "../crd/generate-crds.ts";
import type { TypeModel } from "../loader/type-model.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import type { MarkedModel } from "../markers/read-markers.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import { normalizeRules, type RbacRule } from "./normalize-rules.ts";

/** The options of the generator, by upstream's names. */
interface RbacOptions {
  readonly roleName: string;
  readonly fileName: string;
  /** The header of the generated file. */
  readonly header: string;
}

/** Makes the roles that the permissions in a model ask for: one ClusterRole, and a Role for each namespace and role name. */
function generateRbac(
  { model, marked }: { readonly model: TypeModel; readonly marked: MarkedModel },
  options: RbacOptions,
): ManifestResult {
  const roles = collectRoles(model, marked, options.roleName);
  if (roles.length === 0) return { manifests: [], diagnostics: [] };
  const objects = roles.map((role) => printableRole(role));
  return {
    manifests: [{ name: options.fileName, content: options.header + printYamlDocuments(objects) }],
    diagnostics: [],
  };
}

interface RoleDraft {
  readonly namespace: string;
  readonly name: string;
  readonly rules: RbacRule[];
}

function collectRoles(model: TypeModel, marked: MarkedModel, defaultName: string): readonly RoleDraft[] {
  const roles = new Map<string, RoleDraft>();
  for (const { directory } of model.packages) {
    for (const marker of marked.packages.get(directory) ?? []) {
      if (marker.name !== "kubebuilder:rbac") continue;
      const value = marker.value as Readonly<Record<string, MarkerValue>>;
      const namespace = textOf(value["namespace"]);
      const name = textOf(value["roleName"]) || defaultName;
      const key = JSON.stringify([namespace, name]);
      const role = roles.get(key) ?? { namespace, name, rules: [] };
      role.rules.push(...rulesOf(value));
      roles.set(key, role);
    }
  }
  return [...roles.values()].toSorted(
    (left, right) => compareBytes(left.namespace, right.namespace) || compareBytes(left.name, right.name),
  );
}

// Each resource makes its own rule; the normal form assembles again what belongs together.
function rulesOf(value: Readonly<Record<string, MarkerValue>>): readonly RbacRule[] {
  const rule: RbacRule = {
    groups: textsOf(value["groups"]).map((group) => (group === "core" ? "" : group)),
    resources: [],
    resourceNames: textsOf(value["resourceNames"]),
    urls: textsOf(value["urls"]),
    verbs: textsOf(value["verbs"]),
  };
  const resources = textsOf(value["resources"]);
  return resources.length === 0 ? [rule] : resources.map((resource) => ({ ...rule, resources: [resource] }));
}

function printableRole({ namespace, name, rules }: RoleDraft): Readonly<Record<string, unknown>> {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: namespace === "" ? "ClusterRole" : "Role",
    metadata: namespace === "" ? { name } : { name, namespace },
    rules: normalizeRules(rules).map((rule) => printableRule(rule)),
  };
}

function printableRule({ groups, resources, resourceNames, urls, verbs }: RbacRule): Readonly<Record<string, unknown>> {
  return {
    apiGroups: orNothing(groups),
    nonResourceURLs: orNothing(urls),
    resourceNames: orNothing(resourceNames),
    resources: orNothing(resources),
    // The API has no rule without verbs, so an empty list is printed as null there.
    verbs: verbs.length === 0 ? null : verbs,
  };
}

function orNothing(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function textOf(value: MarkerValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: MarkerValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Is the generator `rbac`: roles with the permissions that the sources ask for. */
export function rbacGenerator(input: GeneratorInput): GeneratorOutput {
  const { roleName, fileName } = input.options;
  const { manifests, diagnostics } = generateRbac(input, {
    roleName: typeof roleName === "string" ? roleName : "",
    fileName: typeof fileName === "string" && fileName !== "" ? fileName : "role.yaml",
    header: input.header,
  });
  return { artifacts: manifests.map((each) => ({ kind: "config", ...each })), diagnostics };
}
