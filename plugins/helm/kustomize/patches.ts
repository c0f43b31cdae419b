import { applyJsonPatch } from "@kubescaffold/schema";

import { KustomizationError } from "../errors.ts";
import { asText, isMap, type Json, type JsonMap, mapAt, type Manifest, textAt } from "../manifest.ts";
import { documentsIn, entriesOf, type Kustomization, readBeside, type ReadFile } from "./kustomization.ts";
import { mergePatch } from "./merge-patch.ts";
import { readSelector, type Resource, type Selector, selects } from "./resource.ts";

/** Applies the patches of a kustomization, in files or inline, in their order. */
export function applyPatches(read: ReadFile, kustomization: Kustomization, resources: readonly Resource[]): void {
  const merges = entriesOf(kustomization, "patchesStrategicMerge").map((entry): JsonMap => {
    const text = asText(entry);
    return text.includes("\n") ? { patch: text } : { path: text };
  });
  const patches = [...merges, ...entriesOf(kustomization, "patches"), ...entriesOf(kustomization, "patchesJson6902")];
  for (const entry of patches) applyEntry(read, kustomization, mapAt(entry), resources);
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
  if (unknown !== undefined) throw new KustomizationError(file, `this program does not apply patches by ${unknown}`);
  return readSelector(entry["target"]);
}

function patch(resource: Resource, operations: readonly Json[], place: string): void {
  try {
    resource.manifest = structuredClone(applyJsonPatch(resource.manifest, [...operations])) as Manifest;
  } catch (error) {
    throw new KustomizationError(place, error instanceof Error ? error.message : String(error));
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
    throw new KustomizationError(place, `nothing is called ${kind} ${name} in that namespace, which the patch is for`);
  for (const resource of meant) {
    const { metadata } = resource.manifest;
    const merged = mergePatch(resource.manifest, document) as Manifest;
    merged.metadata = { ...merged.metadata, name: metadata["name"] ?? "" };
    if (metadata["namespace"] === undefined) delete merged.metadata["namespace"];
    else merged.metadata["namespace"] = metadata["namespace"];
    resource.manifest = merged;
  }
}
