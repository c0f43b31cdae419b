import { posix } from "node:path";

import { messageOf } from "@kubescaffold/k8s";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import { KustomizationError } from "./errors.ts";
import { isMap, type Json, type JsonMap } from "./manifest.ts";

/** Reads a file of the project; nothing where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** A kustomization, and the folder that its paths start from. */
export interface Kustomization {
  readonly folder: string;
  readonly file: string;
  readonly content: JsonMap;
}

const NAMES = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

// What is applied; anything else would be omitted in silence.
const KNOWN = new Set([
  "apiVersion",
  "bases",
  "commonAnnotations",
  "commonLabels",
  "configurations",
  "images",
  "kind",
  "labels",
  "metadata",
  "namePrefix",
  "nameSuffix",
  "namespace",
  "patches",
  "patchesJson6902",
  "patchesStrategicMerge",
  "replacements",
  "replicas",
  "resources",
  "sortOptions",
  "transformers",
]);

/** Returns the kustomization of a folder, or nothing where it has none. Fails: {@link KustomizationError} for a field that is not applied. */
export function readKustomization(read: ReadFile, folder: string): Kustomization | undefined {
  const file = NAMES.map((name) => posix.join(folder, name)).find((path) => read(path) !== undefined);
  if (file === undefined) return undefined;
  const [content = {}] = documentsIn(read(file) ?? "", file);
  if (!isMap(content)) throw new KustomizationError(file, "it is not a mapping");
  const unknown = Object.entries(content).find(([key, value]) => !KNOWN.has(key) && value !== null);
  if (unknown !== undefined) {
    throw new KustomizationError(file, `its field ${unknown[0]} is not supported`, { isUnsupported: true });
  }
  return { folder, file, content };
}

/** Returns the documents of a file beside a kustomization. Fails: {@link KustomizationError} when it is missing. */
export function readBeside(read: ReadFile, { folder, file }: Kustomization, name: string): readonly Json[] {
  const path = posix.join(folder, name);
  const text = read(path);
  if (text === undefined) throw new KustomizationError(file, `it refers to ${path}: no such file`);
  return documentsIn(text, path);
}

/** Returns the entries of a list of a kustomization. */
export function entriesOf({ content, file }: Kustomization, key: string): readonly Json[] {
  const value = content[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new KustomizationError(file, `${key} is not a list`);
  return value;
}

/** Reads the documents of a text; empty ones are omitted. */
export function documentsIn(text: string, file: string): readonly Json[] {
  try {
    return readYamlDocuments(text, { file }).filter(
      (each) => each !== null && each !== undefined,
    ) as unknown as readonly Json[];
  } catch (error) {
    throw new KustomizationError(file, messageOf(error));
  }
}
