import { type CrdFacts, readCrds, type Schema } from "@kubescaffold/generators/importer";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { GoFiles } from "./go-files.ts";
import { findManifests } from "./manifest-places.ts";

/** A role as a manifest has it. */
export interface RoleFacts {
  readonly name: string;
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly rules: readonly Schema[];
}

/** A webhook as a manifest has it. */
export interface WebhookFacts {
  readonly isMutating: boolean;
  /** The name of the object that holds it. */
  readonly configuration: string;
  readonly object: Schema;
}

/** The generated manifests of a project. */
export interface ManifestFacts {
  readonly crds: readonly CrdFacts[];
  readonly roles: readonly RoleFacts[];
  readonly webhooks: readonly WebhookFacts[];
}

/** Returns the manifests that hold the definitions of a project. */
export function definitionsOf(
  files: Pick<GoFiles, "crds" | "paths" | "read">,
): readonly { readonly source: string; readonly text: string; readonly documents: readonly unknown[] }[] {
  const { crds } = findManifests(files);
  return files.paths
    .filter((path) => path.startsWith(crds) && /\.ya?ml$/u.test(path))
    .map((source) => ({ source, text: files.read(source) ?? "", documents: documentsIn(files, source) }));
}

/** Reads the generated manifests below a project's folder. */
export function readManifestFacts(files: Pick<GoFiles, "crds" | "paths" | "read">): ManifestFacts {
  const { role, webhooks } = findManifests(files);
  return {
    crds: definitionsOf(files).flatMap(({ source, documents }) => readCrds(documents, source)),
    roles: documentsIn(files, role).flatMap((document) => readRole(document)),
    webhooks: documentsIn(files, webhooks).flatMap((document) => readWebhooks(document)),
  };
}

/** Returns the documents of a file, none when there is no such file. */
export function documentsIn({ read }: Pick<GoFiles, "read">, path: string): readonly unknown[] {
  const text = read(path);
  return text === undefined ? [] : readYamlDocuments(text, { file: path });
}

function readRole(document: unknown): readonly RoleFacts[] {
  if (!isRecord(document) || (document["kind"] !== "ClusterRole" && document["kind"] !== "Role")) return [];
  const metadata = isRecord(document["metadata"]) ? document["metadata"] : {};
  const rules = Array.isArray(document["rules"]) ? document["rules"] : [];
  return [
    {
      name: textOf(metadata["name"]),
      namespace: document["kind"] === "Role" ? textOf(metadata["namespace"]) : "",
      rules: rules.filter((rule) => isRecord(rule)),
    },
  ];
}

function readWebhooks(document: unknown): readonly WebhookFacts[] {
  if (!isRecord(document)) return [];
  const { kind } = document;
  if (kind !== "MutatingWebhookConfiguration" && kind !== "ValidatingWebhookConfiguration") return [];
  const configuration = isRecord(document["metadata"]) ? textOf(document["metadata"]["name"]) : "";
  const webhooks = Array.isArray(document["webhooks"]) ? document["webhooks"] : [];
  return webhooks
    .filter((webhook) => isRecord(webhook))
    .map((object) => ({ isMutating: kind === "MutatingWebhookConfiguration", configuration, object }));
}

/** Returns a text, empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the texts of a list, none for anything else. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each !== "object").map(String) : [];
}
