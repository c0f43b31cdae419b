import { deepClone, messageOf } from "@kubescaffold/k8s";
import { applyJsonPatch } from "@kubescaffold/schema";

import { KustomizationError } from "./errors.ts";
import { documentsIn, entriesOf, type Kustomization, readBeside, type ReadFile } from "./kustomization.ts";
import { asText, isMap, type Json, type JsonMap, type Manifest, mapAt, namespaceOf, textAt } from "./manifest.ts";
import {
  memberOf,
  patternProblem,
  readSelector,
  type Resource,
  type Selector,
  selects,
  setMember,
} from "./resource.ts";

/** Applies the patches of a kustomization, in files or inline, in their order. */
export function applyPatches(read: ReadFile, kustomization: Kustomization, resources: readonly Resource[]): void {
  const merges = entriesOf(kustomization, "patchesStrategicMerge").map((entry): JsonMap => {
    const text = asText(entry);
    return text.includes("\n") ? { patch: text } : { path: text };
  });
  const patches = [...merges, ...entriesOf(kustomization, "patches"), ...entriesOf(kustomization, "patchesJson6902")];
  for (const entry of patches) applyEntry(read, kustomization, mapAt(entry), resources);
}

/**
 * Applies the transformers of a kustomization, which kustomize runs after everything else: patches of what it has named and placed.
 *
 * Fails: {@link KustomizationError} for a transformer other than PatchTransformer.
 */
export function applyTransformers(read: ReadFile, kustomization: Kustomization, resources: readonly Resource[]): void {
  for (const entry of entriesOf(kustomization, "transformers")) {
    const text = asText(entry);
    const isInline = text.includes("\n");
    const documents = isInline ? documentsIn(text, kustomization.file) : readBeside(read, kustomization, text);
    for (const document of documents) {
      const [kind, name] = [textAt(document, "kind"), textAt(document, "metadata", "name")];
      if (textAt(document, "apiVersion") !== "builtin" || kind !== "PatchTransformer") {
        const problem = `its transformer ${name} is a ${kind}, but only PatchTransformer is supported`;
        throw new KustomizationError(kustomization.file, problem);
      }
      applyEntry(read, kustomization, mapAt(document), resources);
    }
  }
}

function applyEntry(
  read: ReadFile,
  kustomization: Kustomization,
  entry: JsonMap,
  resources: readonly Resource[],
): void {
  const { file } = kustomization;
  const path = textAt(entry, "path");
  const documents = path === "" ? documentsIn(textAt(entry, "patch"), file) : readBeside(read, kustomization, path);
  const operations = documents.every((each) => isMap(each)) ? [] : documents.flat();
  const target = targetOf(entry, file);
  if (operations.length > 0) {
    if (target === undefined) throw new KustomizationError(file, `the patch ${path || "in it"} has no target`);
    for (const each of resources) if (selects(target, each, true)) patch(each, operations, path || file);
    return;
  }
  for (const document of documents) merge(document as JsonMap, target, resources, path || file);
}

function targetOf(entry: JsonMap, file: string): Selector | undefined {
  if (!isMap(entry["target"])) return undefined;
  const unknown = ["labelSelector", "annotationSelector"].find((key) => textAt(entry, "target", key) !== "");
  if (unknown !== undefined) {
    throw new KustomizationError(file, `patches by ${unknown} are not supported`, { isUnsupported: true });
  }
  const selector = readSelector(entry["target"]);
  const problem = patternProblem(selector);
  if (problem !== undefined) throw new KustomizationError(file, problem);
  return selector;
}

function patch(resource: Resource, operations: readonly Json[], place: string): void {
  try {
    resource.manifest = deepClone(applyJsonPatch(resource.manifest, [...operations])) as Manifest;
    resource.namespaces.push(namespaceOf(resource.manifest));
  } catch (error) {
    throw new KustomizationError(place, messageOf(error));
  }
}

// Without a target, the patch says itself which object it is for.
function merge(document: JsonMap, target: Selector | undefined, resources: readonly Resource[], place: string): void {
  const kind = textAt(document, "kind");
  const name = textAt(document, "metadata", "name");
  const namespace = textAt(document, "metadata", "namespace");
  const isMeant = ({ namespaces }: Resource): boolean =>
    target !== undefined || namespaces.some((each) => (each || "default") === (namespace || "default"));
  const selector = target ?? { kind, name };
  const meant = resources.filter((each) => selects(selector, each, target !== undefined) && isMeant(each));
  if (meant.length === 0 && target === undefined)
    throw new KustomizationError(place, `the target of the patch, ${kind} ${name}, does not exist in that namespace`);
  for (const resource of meant) {
    const { metadata } = resource.manifest;
    const merged = mergePatch(resource.manifest, document) as Manifest;
    merged.metadata = { ...merged.metadata, name: metadata["name"] ?? "" };
    if (metadata["namespace"] === undefined) delete merged.metadata["namespace"];
    else merged.metadata["namespace"] = metadata["namespace"];
    resource.manifest = merged;
  }
}

// Lists that merge by a key of their items; all others are replaced. Ports are those of containers or of Services.
const MERGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ["name"],
  env: ["name"],
  ephemeralContainers: ["name"],
  hostAliases: ["ip"],
  imagePullSecrets: ["name"],
  initContainers: ["name"],
  ports: ["containerPort", "port"],
  topologySpreadConstraints: ["topologyKey"],
  volumeDevices: ["devicePath"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
  webhooks: ["name"],
};

/** Merges a patch into an object strategically: null deletes, objects merge, lists of Kubernetes merge by their keys. */
function mergePatch(value: JsonMap, patch: JsonMap): JsonMap {
  if (patch["$patch"] === "replace") return without(patch, "$patch");
  const merged: JsonMap = { ...value };
  for (const [key, change] of Object.entries(patch)) {
    if (key === "$patch") continue;
    if (change === null || isDeletion(change)) delete merged[key];
    else setMember(merged, key, mergeField(key, memberOf(merged, key), change));
  }
  return merged;
}

function mergeField(key: string, value: Json | undefined, change: Json): Json {
  if (isMap(change)) return mergePatch(isMap(value) ? value : {}, change);
  if (Array.isArray(change) && Array.isArray(value)) return mergeList(key, value, change);
  return deepClone(change);
}

function mergeList(name: string, value: readonly Json[], change: readonly Json[]): Json[] {
  const key = MERGE_KEYS[name]?.find((each) => change.every((item) => isMap(item) && item[each] !== undefined));
  if (key === undefined) return deepClone([...change]);
  const changes = change as readonly JsonMap[];
  const keyOf = (item: Json): Json | undefined => (isMap(item) ? item[key] : undefined);
  const named = new Set(changes.map((each) => each[key]));
  // What a patch names stands first, in its order, as kustomize puts it.
  const patched = changes.flatMap((each) => {
    const own = value.find((item) => keyOf(item) === each[key]);
    if (isDeletion(each)) return [];
    return [isMap(own) ? mergePatch(own, each) : deepClone(each)];
  });
  return [...patched, ...value.filter((item) => !named.has(keyOf(item)))];
}

function isDeletion(change: Json): boolean {
  return isMap(change) && change["$patch"] === "delete";
}

function without(map: JsonMap, key: string): JsonMap {
  const { [key]: _left, ...kept } = map;
  return deepClone(kept);
}
