import { posix } from "node:path";

import { KustomizationError } from "../errors.ts";
import { asText, isMap, type Json, type JsonMap, type Manifest, nameOf, textAt } from "../manifest.ts";
import {
  documentsIn,
  entriesOf,
  type Kustomization,
  readBeside,
  readKustomization,
  type ReadFile,
} from "./kustomization.ts";
import { addAnnotations, addLabels } from "./labels.ts";
import { fixNameReferences, readNameReferences, type NameReference } from "./name-references.ts";
import { applyPatches } from "./patches.ts";
import { applyReplacements } from "./replacements.ts";
import { isNamespaced, move, rename, type Resource, resourceOf, visit } from "./resource.ts";
import { setImages, setReplicas } from "./workloads.ts";

/**
 * Returns the objects that a kustomization makes, as `kubectl kustomize` does.
 *
 * Guarantees: nothing but `read` is called. Fails: {@link KustomizationError} for what is missing, broken, or not applied here.
 */
export function buildKustomization(read: ReadFile, folder: string): readonly Manifest[] {
  const configured: NameReference[] = [];
  const resources = accumulate(read, folder, configured);
  fixNameReferences(resources, configured);
  return resources.map(({ manifest }) => manifest);
}

function accumulate(read: ReadFile, folder: string, configured: NameReference[]): readonly Resource[] {
  const kustomization = readKustomization(read, folder);
  if (kustomization === undefined) throw new KustomizationError(folder, "it has no kustomization.yaml");
  const listed = [...entriesOf(kustomization, "resources"), ...entriesOf(kustomization, "bases")];
  const resources = listed.flatMap((each) => load(read, kustomization, asText(each), configured));
  for (const each of entriesOf(kustomization, "configurations"))
    configured.push(...readBeside(read, kustomization, asText(each)).flatMap((one) => readNameReferences(one)));
  applyPatches(read, kustomization, resources);
  setNamespace(kustomization, resources);
  setNames(kustomization, resources);
  addLabels(kustomization, resources);
  addAnnotations(kustomization, resources);
  setReplicas(kustomization, resources);
  setImages(kustomization, resources);
  applyReplacements(read, kustomization, resources);
  return resources;
}

function load(
  read: ReadFile,
  kustomization: Kustomization,
  entry: string,
  configured: NameReference[],
): readonly Resource[] {
  const path = posix.join(kustomization.folder, entry);
  const text = read(path);
  if (text !== undefined) return documentsIn(text, path).flatMap((each) => asResources(each, path));
  if (readKustomization(read, path) !== undefined) return accumulate(read, path, configured);
  throw new KustomizationError(kustomization.file, `it names ${entry}, and there is no such file or kustomization`);
}

function asResources(document: Json, path: string): readonly Resource[] {
  if (isMap(document) && textAt(document, "kind").endsWith("List") && Array.isArray(document["items"]))
    return document["items"].flatMap((each) => asResources(each, path));
  return [resourceOf(asManifest(document, path))];
}

/** Takes a document for an object of Kubernetes. Fails: {@link KustomizationError} when it is none. */
export function asManifest(document: Json, path: string): Manifest {
  const isWhole =
    isMap(document) &&
    textAt(document, "kind") !== "" &&
    textAt(document, "apiVersion") !== "" &&
    isMap(document["metadata"]);
  if (!isWhole || nameOf(document as Manifest) === "")
    throw new KustomizationError(path, "a document in it is no object with apiVersion, kind and a name");
  return document as Manifest;
}

function setNamespace({ content }: Kustomization, resources: readonly Resource[]): void {
  const namespace = textAt(content, "namespace");
  if (namespace === "") return;
  for (const resource of resources) {
    const { manifest } = resource;
    if (manifest.kind === "Namespace") rename(resource, namespace);
    else if (isNamespaced(manifest)) move(resource, namespace);
    const set = (holder: JsonMap, key: string): void => void (holder[key] = namespace);
    if (manifest.kind === "CustomResourceDefinition")
      visit(manifest, ["spec", "conversion", "webhook", "clientConfig", "service", "namespace"], set);
    if (manifest.kind === "APIService") visit(manifest, ["spec", "service", "namespace"], set);
    if (manifest.kind.endsWith("RoleBinding"))
      visit(manifest, ["subjects", "name"], (subject) => {
        if (subject["kind"] === "ServiceAccount" && subject["name"] === "default") subject["namespace"] = namespace;
      });
  }
}

const FIXED_NAMES = new Set(["APIService", "CustomResourceDefinition", "Namespace"]);

function setNames({ content }: Kustomization, resources: readonly Resource[]): void {
  const [prefix, suffix] = [textAt(content, "namePrefix"), textAt(content, "nameSuffix")];
  if (prefix === "" && suffix === "") return;
  for (const resource of resources)
    if (!FIXED_NAMES.has(resource.manifest.kind)) rename(resource, `${prefix}${nameOf(resource.manifest)}${suffix}`);
}
