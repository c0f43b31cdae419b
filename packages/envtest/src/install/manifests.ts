import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

import { isAlreadyExists, isConflict } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import type { RestClient } from "@kubescaffold/runtime";

import { ManifestPathMissingError } from "../failures/errors.ts";

/** Options of {@link readManifests}. */
interface ReadManifestsOptions {
  /** Files, and folders whose YAML and JSON files are read. */
  readonly paths: readonly string[];
  /** Completes the sentence "cannot read … from". */
  readonly what: string;
  /** Fails for a missing path. */
  readonly errorIfPathMissing: boolean;
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/**
 * Reads the objects of all paths, in the order of the paths and file names.
 *
 * Fails: {@link ManifestPathMissingError} for a missing path if it is required; YamlError for an invalid file.
 */
export async function readManifests(options: ReadManifestsOptions): Promise<readonly KubernetesObject[]> {
  const files = await Promise.all(options.paths.map(async (item) => filesOf(item, options)));
  const objects = await Promise.all(files.flat().map(readObjects));
  return objects.flat();
}

async function filesOf(item: string, { what, errorIfPathMissing }: ReadManifestsOptions): Promise<readonly string[]> {
  const found = await stat(item).catch(() => undefined);
  if (found === undefined) {
    if (errorIfPathMissing) throw new ManifestPathMissingError(what, item);
    return [];
  }
  if (found.isFile()) return [item];
  const names = (await readdir(item)).filter((name) => EXTENSIONS.has(path.extname(name)));
  return names.sort().map((name) => path.join(item, name));
}

async function readObjects(file: string): Promise<readonly KubernetesObject[]> {
  const documents = readYamlDocuments(await readFile(file, "utf8"), { file });
  return documents.flatMap((document) => {
    if (!isObject(document)) return [];
    return document.kind === "List" ? listItems(document) : [document];
  });
}

function listItems(list: KubernetesObject & { readonly items?: unknown }): readonly KubernetesObject[] {
  return Array.isArray(list.items) ? list.items.filter(isObject) : [];
}

// The same folders contain kustomization files, which have no metadata.
function isObject(document: unknown): document is KubernetesObject {
  if (typeof document !== "object" || document === null) return false;
  const { kind, metadata } = document as { readonly kind?: unknown; readonly metadata?: unknown };
  return kind === "List" || (typeof kind === "string" && typeof metadata === "object" && metadata !== null);
}

/** Reports whether an object is a CustomResourceDefinition of the served version. */
export function isCrd(object: KubernetesObject): object is CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition" && object.apiVersion === "apiextensions.k8s.io/v1";
}

/** Creates a cluster-scoped object, or replaces the content of an existing one, of which `keep` may take over fields. */
export async function createOrUpdate<T extends KubernetesObject>(
  client: RestClient,
  collection: string,
  object: T,
  keep: (wanted: T, live: T) => T = (wanted) => wanted,
): Promise<KubernetesObject> {
  try {
    return await client.request<KubernetesObject>({ method: "POST", path: collection, body: object });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return replace(client, `${collection}/${object.metadata.name ?? ""}`, (live) => keep(object, live as T));
  }
}

// Controllers write to the object, too, so a conflict is retried.
async function replace(
  client: RestClient,
  path: string,
  contentFor: (live: KubernetesObject) => KubernetesObject,
): Promise<KubernetesObject> {
  for (;;) {
    const live = await client.request<KubernetesObject>({ method: "GET", path });
    const { resourceVersion } = live.metadata;
    const object = contentFor(live);
    try {
      const body = {
        ...object,
        metadata: { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      };
      return await client.request<KubernetesObject>({ method: "PUT", path, body });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
