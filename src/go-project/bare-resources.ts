import type { CrdFacts } from "@kubescaffold/generators/importer";

import {
  type ProjectApi,
  type ProjectConfig,
  type ProjectResource,
  type ProjectWebhooks,
  qualifiedGroupOf,
} from "../project/project-config.ts";
import { pluralOf } from "../project/resource-names.ts";
import type { GoFiles } from "./go-files.ts";

/** A fact and the files that it was read from. */
export interface ReadFrom {
  readonly what: string;
  readonly from: string;
}

/** A project whose entries are complete, and the files that completed them. */
export interface CompletedProject {
  readonly project: ProjectConfig;
  readonly readFrom: readonly ReadFrom[];
}

/**
 * Completes the entries of PROJECT that have nothing but group, kind, and version, as version 2 and 3-alpha record them: domain, plural, scope,
 * controllers, and webhooks come from the CRDs and the Go files.
 */
export function completeResources(
  { project, readFrom: before }: CompletedProject,
  { files, crds }: { readonly files: GoFiles; readonly crds: readonly CrdFacts[] },
): CompletedProject {
  const readFrom: ReadFrom[] = [...before];
  const resources = (project.resources ?? []).map((resource) => {
    if (!isBare(resource)) return resource;
    const completed = complete(project, resource, files, crds);
    readFrom.push(...completed.readFrom);
    return completed.resource;
  });
  return { project: project.resources === undefined ? project : { ...project, resources }, readFrom };
}

/** Reports whether an entry has nothing but group, kind, and version. */
export function isBare(resource: ProjectResource): boolean {
  const { api, controller, controllers, core, external, webhooks } = resource;
  return [api, controller, controllers, core, external, webhooks].every((each) => each === undefined);
}

function complete(
  project: ProjectConfig,
  bare: ProjectResource,
  files: GoFiles,
  crds: readonly CrdFacts[],
): { readonly resource: ProjectResource; readonly readFrom: readonly ReadFrom[] } {
  const domain = bare.domain ?? project.domain;
  const named: ProjectResource = { ...bare, ...(domain === undefined ? {} : { domain }) };
  const group = qualifiedGroupOf(named);
  const crd = crds.find((each) => each.group === group && each.kind === bare.kind);
  const find = (end: string, folders: readonly string[]): string | undefined =>
    folders.map((folder) => `${folder}${bare.kind.toLowerCase()}${end}`).find((path) => files.paths.includes(path));
  const types = find("_types.go", typeFolders(bare));
  const controller = find("_controller.go", controllerFolders(bare)) ?? controllerElsewhere(bare.kind, files.paths);
  const webhook = find("_webhook.go", [...typeFolders(bare), ...webhookFolders(bare)]);
  const api = apiOf(crd, types === undefined ? undefined : files.read(types));
  const found = webhook === undefined ? undefined : webhooksOf(files.read(webhook) ?? "");
  const webhooks = withConversion(found, conversionOf(bare, files));
  const name = `${bare.kind} ${bare.version}`;
  const entries: readonly (readonly [string, string | undefined])[] = [
    [`scope and plural of ${name}`, crd?.source ?? types],
    [`controller of ${name}`, controller],
    [`webhooks of ${name}`, webhook],
  ];
  return {
    resource: {
      ...named,
      ...(api === undefined ? {} : { api }),
      ...(crd === undefined || crd.plural === pluralOf(bare.kind) ? {} : { plural: crd.plural }),
      ...(controller === undefined ? {} : { controller: true }),
      ...(webhooks === undefined ? {} : { webhooks }),
    },
    readFrom: entries.flatMap(([what, from]) => (from === undefined ? [] : [{ what, from }])),
  };
}

/** Returns the folders in which a resource may have its types, those of all layouts. */
export function typeFolders({ group = "", version }: ProjectResource): readonly string[] {
  return [`api/${version}/`, `apis/${group}/${version}/`, `api/${group}/${version}/`, `apis/${version}/`];
}

function controllerFolders({ group = "" }: ProjectResource): readonly string[] {
  return ["controllers", "internal/controller"].flatMap((folder) => [`${folder}/`, `${folder}/${group}/`]);
}

// Projects that grew out of the scaffold have their controllers in any folder, and separate the words of a kind in their names.
function controllerElsewhere(kind: string, paths: readonly string[]): string | undefined {
  const words = kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").toLowerCase();
  const names = new Set([`${kind.toLowerCase()}_controller.go`, `${words}_controller.go`]);
  return paths.find((path) => names.has(path.slice(path.lastIndexOf("/") + 1)));
}

function webhookFolders({ group = "", version }: ProjectResource): readonly string[] {
  return [`internal/webhook/${version}/`, `internal/webhook/${group}/${version}/`];
}

function apiOf(crd: CrdFacts | undefined, types: string | undefined): ProjectApi | undefined {
  if (crd === undefined && types === undefined) return undefined;
  const isNamespaced = crd === undefined ? !saysClusterScope(types ?? "") : crd.scope === "Namespaced";
  return { crdVersion: "v1", ...(isNamespaced ? { namespaced: true } : {}) };
}

function saysClusterScope(text: string): boolean {
  return text
    .split("\n")
    .some((line) => /^\s*\/\/\s*\+kubebuilder:resource:/u.test(line) && /\bscope="?Cluster\b/u.test(line));
}

// The markers decide: they stand for what the program registers.
function webhooksOf(text: string): ProjectWebhooks | undefined {
  const has = (mutating: boolean): boolean =>
    text
      .split("\n")
      .some((line) => /^\s*\/\/\s*\+kubebuilder:webhook:/u.test(line) && line.includes(`mutating=${String(mutating)}`));
  const [defaulting, validation] = [has(true), has(false)];
  if (!defaulting && !validation) return undefined;
  return {
    ...(defaulting ? { defaulting } : {}),
    ...(validation ? { validation } : {}),
    webhookVersion: "v1",
  };
}

// The hub of a conversion says so in a method; the spokes convert to it.
function conversionOf(resource: ProjectResource, files: GoFiles): ProjectWebhooks | undefined {
  const kind = resource.kind.toLowerCase();
  const folders = typeFolders(resource);
  const own = files.paths.filter(
    (path) => folders.some((folder) => path.startsWith(folder)) && /(?:_conversion|_types|_webhook)\.go$/u.test(path),
  );
  const isHub = own.some(
    (path) => path.includes(`/${kind}_`) && (files.read(path) ?? "").includes(`*${resource.kind}) Hub()`),
  );
  if (!isHub) return undefined;
  const spoke = files.paths
    .filter((path) => path.endsWith(`/${kind}_conversion.go`) && /\) ConvertTo\(/u.test(files.read(path) ?? ""))
    .flatMap((path) => path.split("/").at(-2) ?? []);
  return { conversion: true, ...(spoke.length === 0 ? {} : { spoke }), webhookVersion: "v1" };
}

function withConversion(
  webhooks: ProjectWebhooks | undefined,
  conversion: ProjectWebhooks | undefined,
): ProjectWebhooks | undefined {
  return webhooks === undefined ? conversion : { ...webhooks, ...conversion };
}
