import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import { type CrdFacts, readCrds } from "../importer/crd-facts.ts";
import { isRecord, type Schema } from "../importer/normal-form.ts";
import { PROJECT_FILE, type ProjectConfig } from "../project/project-config.ts";
import { parseProject } from "../project/project-file.ts";
import { GoLayoutError, NoGoProjectError } from "./errors.ts";

/** The files of a project in Go; paths are relative with forward slashes, and sorted. */
export interface GoFiles {
  /** The folder, for messages. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly read: (path: string) => string | undefined;
}

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

/** What a project in Go says of itself in PROJECT and in its manifests. */
export interface GoProject {
  readonly files: GoFiles;
  readonly project: ProjectConfig;
  readonly crds: readonly CrdFacts[];
  readonly roles: readonly RoleFacts[];
  readonly webhooks: readonly WebhookFacts[];
}

const CRD_FOLDER = "config/crd/bases/";
const ROLE_FILE = "config/rbac/role.yaml";
const WEBHOOK_FILE = "config/webhook/manifests.yaml";

/** The manifests that generators make of sources. */
export function isGenerated(path: string): boolean {
  return path.startsWith(CRD_FOLDER) || path === ROLE_FILE || path === WEBHOOK_FILE;
}

/**
 * Reads what a project in Go says of itself.
 *
 * Fails: {@link NoGoProjectError}, {@link GoLayoutError}, `ProjectInvalidError`, `InvalidCrdError`, `YamlError`.
 */
export function readGoProject(files: GoFiles): GoProject {
  const text = files.read(PROJECT_FILE);
  if (text === undefined) throw new NoGoProjectError(files.folder);
  const project = parseProject(text);
  if (!project.layout.some((key) => /^(?:base\.)?go(?:\.kubebuilder\.io)?\/v4$/u.test(key)))
    throw new GoLayoutError(project.layout);
  return { files, project, ...readManifestFacts(files) };
}

/** Returns the manifests that hold the definitions of a project. */
export function definitionsOf(
  files: Pick<GoFiles, "paths" | "read">,
): readonly { readonly source: string; readonly text: string; readonly documents: readonly unknown[] }[] {
  return files.paths
    .filter((path) => path.startsWith(CRD_FOLDER) && /\.ya?ml$/u.test(path))
    .map((source) => ({ source, text: files.read(source) ?? "", documents: documentsIn(files, source) }));
}

/** Reads the generated manifests below a project's folder. */
export function readManifestFacts(
  files: Pick<GoFiles, "paths" | "read">,
): Pick<GoProject, "crds" | "roles" | "webhooks"> {
  return {
    crds: definitionsOf(files).flatMap(({ source, documents }) => readCrds(documents, source)),
    roles: documentsIn(files, ROLE_FILE).flatMap((document) => readRole(document)),
    webhooks: documentsIn(files, WEBHOOK_FILE).flatMap((document) => readWebhooks(document)),
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
  return Array.isArray(value) ? value.map(String) : [];
}
