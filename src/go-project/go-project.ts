import { type CrdFacts, readCrds, type Schema } from "@kubescaffold/generators/importer";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import { PROJECT_FILE, type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { parseProject } from "../project/project-file.ts";
import { completeResources, type ReadFrom, type CompletedProject } from "./bare-resources.ts";
import { GoLayoutError, NoGoProjectError } from "./errors.ts";
import type { GoFiles } from "./go-files.ts";
import { type GoLayout, goLayoutOf } from "./go-layout.ts";
import { findManifests } from "./manifest-places.ts";
import { projectOfManifests } from "./project-of-manifests.ts";

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

/** What a project in Go records in PROJECT and in its manifests. */
export interface GoProject {
  readonly files: GoFiles;
  readonly layout: GoLayout;
  readonly project: ProjectConfig;
  /** The files that completed PROJECT, where it does not record everything. */
  readonly readFrom: readonly ReadFrom[];
  readonly crds: readonly CrdFacts[];
  readonly roles: readonly RoleFacts[];
  readonly webhooks: readonly WebhookFacts[];
}

/**
 * Reads what a project in Go says of itself.
 *
 * Fails: {@link NoGoProjectError}, {@link GoLayoutError}, `ProjectInvalidError`, `InvalidCrdError`, `YamlError`.
 */
export function readGoProject(files: GoFiles): GoProject {
  const text = files.read(PROJECT_FILE);
  const recorded = text === undefined ? undefined : parseProject(text, { olderVersions: ["1", "2"] });
  const facts = readManifestFacts(files);
  const defined =
    recorded?.resources === undefined
      ? ofManifests(files, facts.crds, recorded)
      : withDefinedDomains(recorded, facts.crds);
  if (defined === undefined) throw new NoGoProjectError(files.folder);
  const layout = goLayoutOf(defined.project);
  if (layout === undefined) throw new GoLayoutError(defined.project.layout);
  const { project, readFrom } = completeResources(defined.project, { files, crds: facts.crds });
  return { files, layout, ...facts, project, readFrom: [...defined.readFrom, ...readFrom] };
}

// Version 1 records no resources: its APIs are those of the CRDs.
function ofManifests(
  files: GoFiles,
  crds: readonly CrdFacts[],
  recorded: ProjectConfig | undefined,
): CompletedProject | undefined {
  const found =
    recorded?.version === "1" || recorded === undefined ? projectOfManifests(files, crds, recorded?.domain) : undefined;
  if (recorded === undefined) return found;
  const { resources, multigroup, domain = recorded.domain } = found?.project ?? {};
  return {
    project: {
      ...recorded,
      ...(domain === undefined ? {} : { domain }),
      ...(multigroup === undefined ? {} : { multigroup }),
      ...(resources === undefined ? {} : { resources }),
    },
    readFrom: found?.readFrom ?? [],
  };
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
export function readManifestFacts(
  files: Pick<GoFiles, "crds" | "paths" | "read">,
): Pick<GoProject, "crds" | "roles" | "webhooks"> {
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
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * Corrects the domains of resources whose CRD has another: Go types name their group themselves, so that PROJECT may disagree with the API that is served.
 *
 * Guarantees: resources that share a folder of types keep one group, and a resource changes only when it has no CRD under the recorded domain, and exactly one CRD has its kind, its version, and its group.
 */
function withDefinedDomains(project: ProjectConfig, crds: readonly CrdFacts[]): CompletedProject {
  const resources = project.resources ?? [];
  const proposed = resources.map((resource) => correct(project, resource, crds));
  const folderOf = ({ group = "", version }: ProjectResource): string =>
    `${project.multigroup === true ? group : ""}/${version}`;
  const groupsIn = (folder: string): ReadonlySet<string> =>
    new Set(
      proposed
        .filter(({ resource }) => resource.core !== true && folderOf(resource) === folder)
        .map(({ resource }) => qualifiedGroupOf({ ...resource, domain: resource.domain ?? project.domain ?? "" })),
    );
  const corrected = resources.map((resource, index): Corrected =>
    groupsIn(folderOf(resource)).size > 1 ? { resource } : (proposed[index] ?? { resource }),
  );
  return {
    project:
      project.resources === undefined ? project : { ...project, resources: corrected.map(({ resource }) => resource) },
    readFrom: corrected.flatMap(({ resource, from }) =>
      from === undefined
        ? []
        : [{ what: `domain ${resource.domain ?? ""} of ${resource.kind} ${resource.version}`, from }],
    ),
  };
}

interface Corrected {
  readonly resource: ProjectResource;
  readonly from?: string;
}

function correct(project: ProjectConfig, resource: ProjectResource, crds: readonly CrdFacts[]): Corrected {
  const { core, domain = project.domain ?? "", group = "", kind, version } = resource;
  const recorded = qualifiedGroupOf({ group, domain });
  const sameKind = crds.filter((crd) => crd.kind === kind && crd.versions.some(({ name }) => name === version));
  if (core === true || group === "" || sameKind.some((crd) => crd.group === recorded)) return { resource };
  const [only, ...others] = sameKind.filter((crd) => crd.group === group || crd.group.startsWith(`${group}.`));
  if (only === undefined || others.length > 0) return { resource };
  return { resource: { ...resource, domain: only.group.slice(group.length + 1) }, from: only.source };
}
