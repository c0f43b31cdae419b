import { posix } from "node:path";

import { KustomizationError } from "./errors.ts";
import {
  documentsIn,
  entriesOf,
  type Kustomization,
  readBeside,
  type ReadFile,
  readKustomization,
} from "./kustomization.ts";
import {
  asText,
  groupOf,
  isMap,
  type Json,
  type JsonMap,
  type Manifest,
  mapAt,
  nameOf,
  namespaceOf,
  textAt,
} from "./manifest.ts";
import { fixNameReferences, type NameReference, readNameReferences } from "./name-references.ts";
import { applyPatches, applyTransformers } from "./patches.ts";
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
  const resources = accumulate(read, folder, { configured, open: [], left: MOST_KUSTOMIZATIONS });
  fixNameReferences(resources, configured);
  return resources.map(({ manifest }) => manifest);
}

// Each kustomization may name another twice, and that one the next.
const MOST_KUSTOMIZATIONS = 1000;

/** The state of a build. */
interface Build {
  readonly configured: NameReference[];
  /** The folders that are being built, the outermost first. */
  readonly open: string[];
  left: number;
}

function accumulate(read: ReadFile, folder: string, build: Build): readonly Resource[] {
  const kustomization = readKustomization(read, folder);
  if (kustomization === undefined) throw new KustomizationError(folder, "it has no kustomization.yaml");
  const { file } = kustomization;
  const { configured, open } = build;
  const path = posix.normalize(`${folder}/`);
  if (open.includes(path)) throw new KustomizationError(file, `it is part of itself: ${[...open, path].join(" -> ")}`);
  build.left -= 1;
  if (build.left < 0) {
    const most = String(MOST_KUSTOMIZATIONS);
    throw new KustomizationError(file, `more than ${most} kustomizations are built, each as often as it is named`);
  }
  open.push(path);
  const listed = [...entriesOf(kustomization, "resources"), ...entriesOf(kustomization, "bases")];
  const resources = listed.flatMap((each) => load(read, kustomization, asText(each), build));
  open.pop();
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
  applyTransformers(read, kustomization, resources);
  return resources;
}

function load(read: ReadFile, kustomization: Kustomization, entry: string, build: Build): readonly Resource[] {
  const path = posix.join(kustomization.folder, entry);
  const text = read(path);
  if (text !== undefined) return documentsIn(text, path).flatMap((each) => asResources(each, path));
  if (readKustomization(read, path) !== undefined) return accumulate(read, path, build);
  throw new KustomizationError(kustomization.file, `it refers to ${entry}: no such file or kustomization`, {
    isUnsupported: REMOTE.test(entry),
  });
}

// kubectl reads these from elsewhere.
const REMOTE = /:\/\/|^git@|^[\w-]+\.[\w.-]+\/.*\/|[?&]ref=/u;

function asResources(document: Json, path: string): readonly Resource[] {
  if (isMap(document) && textAt(document, "kind").endsWith("List") && Array.isArray(document["items"]))
    return document["items"].flatMap((each) => asResources(each, path));
  return [resourceOf(asManifest(document, path))];
}

/** Returns the objects of a file's text. Fails: {@link KustomizationError} for a document that is no object of Kubernetes. */
export function manifestsIn(text: string, file: string): readonly Manifest[] {
  return documentsIn(text, file).map((each) => asManifest(each, file));
}

function asManifest(document: Json, path: string): Manifest {
  const isWhole =
    isMap(document) &&
    textAt(document, "kind") !== "" &&
    textAt(document, "apiVersion") !== "" &&
    isMap(document["metadata"]);
  if (!isWhole || nameOf(document as Manifest) === "")
    throw new KustomizationError(path, "a document in it is not an object with apiVersion, kind, and a name");
  return document as Manifest;
}

function setNamespace({ content, file }: Kustomization, resources: readonly Resource[]): void {
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
  requireDistinct(resources, file);
}

function requireDistinct(resources: readonly Resource[], file: string): void {
  const known = new Set<string>();
  for (const { manifest } of resources) {
    const [group, kind, name, namespace] = [groupOf(manifest), manifest.kind, nameOf(manifest), namespaceOf(manifest)];
    const id = JSON.stringify([group, kind, name, namespace]);
    if (known.has(id))
      throw new KustomizationError(
        file,
        `its namespace makes two objects one: each is the ${kind} ${name} in ${namespace}`,
      );
    known.add(id);
  }
}

const FIXED_NAMES = new Set(["APIService", "CustomResourceDefinition", "Namespace"]);

function setNames({ content }: Kustomization, resources: readonly Resource[]): void {
  const [prefix, suffix] = [textAt(content, "namePrefix"), textAt(content, "nameSuffix")];
  if (prefix === "" && suffix === "") return;
  for (const resource of resources)
    if (!FIXED_NAMES.has(resource.manifest.kind)) rename(resource, `${prefix}${nameOf(resource.manifest)}${suffix}`);
}

/** Adds the labels of a kustomization, to selectors and templates too where it says so. */
function addLabels(kustomization: Kustomization, resources: readonly Resource[]): void {
  for (const entry of entriesOf(kustomization, "labels")) {
    const withSelectors = mapAt(entry)["includeSelectors"] === true;
    const withTemplates = withSelectors || mapAt(entry)["includeTemplates"] === true;
    add(resources, mapAt(entry, "pairs"), { withSelectors, withTemplates });
  }
  add(resources, mapAt(kustomization.content, "commonLabels"), { withSelectors: true, withTemplates: true });
}

function add(
  resources: readonly Resource[],
  pairs: JsonMap,
  { withSelectors, withTemplates }: { readonly withSelectors: boolean; readonly withTemplates: boolean },
): void {
  if (Object.keys(pairs).length === 0) return;
  for (const { manifest } of resources) {
    manifest.metadata["labels"] = { ...mapAt(manifest.metadata, "labels"), ...pairs };
    if (withTemplates) forTemplates(manifest, "labels", pairs);
    if (withSelectors) forSelectors(manifest, pairs);
  }
}

/** Adds the annotations of a kustomization, to templates too. */
function addAnnotations({ content }: Kustomization, resources: readonly Resource[]): void {
  const pairs = mapAt(content, "commonAnnotations");
  if (Object.keys(pairs).length === 0) return;
  for (const { manifest } of resources) {
    manifest.metadata["annotations"] = { ...mapAt(manifest.metadata, "annotations"), ...pairs };
    forTemplates(manifest, "annotations", pairs);
  }
}

const WORKLOADS = new Set(["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job"]);

function forTemplates(manifest: Manifest, field: string, pairs: JsonMap): void {
  if (!WORKLOADS.has(manifest.kind)) return;
  const template = mapAt(manifest, "spec", "template");
  const metadata = mapAt(template, "metadata");
  template["metadata"] = { ...metadata, [field]: { ...mapAt(metadata, field), ...pairs } };
}

function forSelectors(manifest: Manifest, pairs: JsonMap): void {
  const addTo = (holder: JsonMap, key: string): void => void (holder[key] = { ...mapAt(holder, key), ...pairs });
  if (manifest.kind === "Service") visit(manifest, ["spec", "selector"], addTo);
  if (WORKLOADS.has(manifest.kind) && manifest.kind !== "Job" && isMap(manifest["spec"])) {
    const selector = mapAt(manifest, "spec", "selector");
    manifest["spec"]["selector"] = { ...selector, matchLabels: { ...mapAt(selector, "matchLabels"), ...pairs } };
  }
  if (manifest.kind === "NetworkPolicy") visit(manifest, ["spec", "podSelector", "matchLabels"], addTo);
}
