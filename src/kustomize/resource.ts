import { type CompiledPattern, compilePattern } from "@kubescaffold/schema";

import { groupOf, isMap, type Json, type JsonMap, type Manifest, nameOf, namespaceOf, textAt } from "./manifest.ts";

/** An object on its way through kustomizations, with the names and namespaces that it had on the way. */
export interface Resource {
  manifest: Manifest;
  readonly names: string[];
  readonly namespaces: string[];
}

/** What a patch or a replacement is for; a part that is omitted matches everything. */
export interface Selector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Puts a manifest on its way. */
export function resourceOf(manifest: Manifest): Resource {
  return { manifest, names: [nameOf(manifest)], namespaces: [namespaceOf(manifest)] };
}

/** Gives a resource another name; what was said of the former one still means it. */
export function rename({ manifest, names }: Resource, name: string): void {
  manifest.metadata["name"] = name;
  names.push(name);
}

/** Puts a resource into another namespace; what was said of the former one still means it. */
export function move({ manifest, namespaces }: Resource, namespace: string): void {
  manifest.metadata["namespace"] = namespace;
  namespaces.push(namespace);
}

/** Reads a selector of a kustomization. */
export function readSelector(value: JsonMap): Selector {
  const parts = ["group", "version", "kind", "name", "namespace"].map((key) => [key, textAt(value, key)] as const);
  return Object.fromEntries(parts.filter(([, text]) => text !== ""));
}

/** Reports whether a selector means a resource; `isPattern` takes its parts for regular expressions, as patches do. */
export function selects(selector: Selector, { manifest, names, namespaces }: Resource, isPattern: boolean): boolean {
  const version = manifest.apiVersion.split("/").at(-1) ?? "";
  const facts: Readonly<Record<keyof Selector, readonly string[]>> = {
    group: [groupOf(manifest)],
    version: [version],
    kind: [manifest.kind],
    name: names,
    namespace: namespaces,
  };
  return Object.entries(selector).every(([key, wanted]: readonly [string, string]) => {
    const pattern = isPattern ? compileWhole(wanted) : undefined;
    const matches = pattern?.kind === "pattern" ? pattern.matches : (fact: string) => fact === wanted;
    return facts[key as keyof Selector].some((fact) => matches(fact));
  });
}

/** Returns why a part of a selector is no pattern of Go, or undefined. */
export function patternProblem(selector: Selector): string | undefined {
  const problems = Object.values(selector as Readonly<Record<string, string>>).map((wanted) => {
    const pattern = compileWhole(wanted);
    return pattern.kind === "invalid" ? `${JSON.stringify(wanted)} is not a pattern: ${pattern.reason}` : undefined;
  });
  return problems.find((problem) => problem !== undefined);
}

function compileWhole(wanted: string): CompiledPattern {
  return compilePattern(`^(?:${wanted})$`);
}

// Kinds of Kubernetes itself that no namespace holds; of others nothing is known, and they are taken for namespaced, as kustomize does.
const CLUSTER_KINDS = new Set([
  "APIService",
  "CSIDriver",
  "CSINode",
  "CertificateSigningRequest",
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "FlowSchema",
  "IngressClass",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PriorityClass",
  "PriorityLevelConfiguration",
  "RuntimeClass",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  "VolumeAttachment",
]);

/** Reports whether objects of a manifest's kind are in a namespace. */
export function isNamespaced({ kind }: Manifest): boolean {
  return !CLUSTER_KINDS.has(kind);
}

/** Calls back with each object that holds the last key of a path, through lists. */
export function visit(value: unknown, path: readonly string[], found: (holder: JsonMap, key: string) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, path, found);
    return;
  }
  const [key = "", ...rest] = path;
  const map = value as JsonMap;
  if (!isMap(map)) return;
  const member = memberOf(map, key);
  if (rest.length > 0) visit(member, rest, found);
  else if (member !== undefined) found(map, key);
}

/** Returns a member of an object; what all objects inherit is none. */
export function memberOf(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Sets a member of an object, whatever its name. */
export function setMember(map: JsonMap, key: string, value: Json): void {
  Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true });
}
