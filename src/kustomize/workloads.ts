import { entriesOf, type Kustomization } from "./kustomization.ts";
import { asText, isMap, type Json, type JsonMap, mapAt, textAt } from "./manifest.ts";
import type { Resource } from "./resource.ts";

const SCALED = new Set(["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"]);

/** Sets the numbers of replicas that a kustomization names. */
export function setReplicas(kustomization: Kustomization, resources: readonly Resource[]): void {
  for (const entry of entriesOf(kustomization, "replicas"))
    for (const { manifest, names } of resources)
      if (SCALED.has(manifest.kind) && names.includes(textAt(entry, "name")))
        manifest["spec"] = { ...mapAt(manifest, "spec"), replicas: mapAt(entry)["count"] ?? 1 };
}

/** Replaces the images that a kustomization names. */
export function setImages(kustomization: Kustomization, resources: readonly Resource[]): void {
  for (const entry of entriesOf(kustomization, "images"))
    for (const { manifest } of resources) replaceImages(manifest, mapAt(entry));
}

function replaceImages(value: Json, entry: JsonMap): void {
  if (Array.isArray(value)) for (const each of value) replaceImages(each, entry);
  if (!isMap(value)) return;
  for (const [key, each] of Object.entries(value)) {
    const isContainers = (key === "containers" || key === "initContainers") && Array.isArray(each);
    if (isContainers) for (const container of each) if (isMap(container)) replaceImage(container, entry);
    replaceImages(each, entry);
  }
}

function replaceImage(container: JsonMap, entry: JsonMap): void {
  const { name, tag, digest } = splitImage(textAt(container, "image"));
  if (name !== textAt(entry, "name")) return;
  const newName = textAt(entry, "newName") || name;
  const newDigest = textAt(entry, "digest");
  const newTag = entry["newTag"] === undefined || entry["newTag"] === null ? "" : asText(entry["newTag"]);
  if (newDigest !== "") container["image"] = `${newName}${newTag === "" ? "" : `:${newTag}`}@${newDigest}`;
  else if (newTag !== "") container["image"] = `${newName}:${newTag}`;
  else container["image"] = `${newName}${tag === "" ? "" : `:${tag}`}${digest === "" ? "" : `@${digest}`}`;
}

/** An image reference in its parts; what it does not have is empty. */
export interface ImageParts {
  /** Registry and repository. */
  readonly name: string;
  /** The tag; empty for none. */
  readonly tag: string;
  /** The digest; empty for none. */
  readonly digest: string;
}

/** Takes an image reference apart: the colon of a registry's port is part of the name. */
export function splitImage(image: string): ImageParts {
  const at = image.indexOf("@");
  const [tagged, digest] = at < 0 ? [image, ""] : [image.slice(0, at), image.slice(at + 1)];
  const colon = tagged.lastIndexOf(":");
  if (colon < tagged.lastIndexOf("/") || colon < 0) return { name: tagged, tag: "", digest };
  return { name: tagged.slice(0, colon), tag: tagged.slice(colon + 1), digest };
}
