import type { CrdFacts, Schema } from "@kubescaffold/generators/importer";
import { MARKER_DEFINITIONS, parseMarker } from "@kubescaffold/generators/markers";
import { builtInResources } from "@kubescaffold/k8s/tables";
import { isRecord } from "@kubescaffold/platform";

import { isWebhookPath } from "../project/name-rules.ts";
import type { ProjectConfig, ProjectResource, ProjectWebhooks } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";
import type { CompletedProject, ReadFrom } from "./bare-resources.ts";
import { groupOf } from "./defined-groups.ts";
import type { GoFiles } from "./go-files.ts";
import { coreEntry } from "./listed-kinds.ts";
import { textOf, textsOf, type WebhookFacts } from "./manifest-facts.ts";
import { pathOf } from "./webhook-markers.ts";

/** The webhooks of a project, and the file that they were read from. */
interface FoundWebhooks {
  readonly webhooks: readonly WebhookFacts[];
  readonly from: string;
}

/**
 * Makes the webhooks of PROJECT those of the manifests: webhooks of kinds of the project and of Kubernetes that PROJECT does not list are added, other
 * paths are recorded, and types of webhooks that no manifest has are removed.
 *
 * Guarantees: without webhooks in the manifests, PROJECT stays as it is; what a webhook decides on several kinds has no entry.
 */
export function withFoundWebhooks(
  { project, readFrom }: CompletedProject,
  { found: { webhooks, from }, crds }: { readonly found: FoundWebhooks; readonly crds: readonly CrdFacts[] },
): CompletedProject {
  if (webhooks.length === 0) return { project, readFrom };
  const notes: ReadFrom[] = [];
  let resources = project.resources ?? [];
  for (const webhook of webhooks) {
    const { isMutating } = webhook;
    const path = pathIn(webhook);
    if (!isWebhookPath(path) || resources.some((each) => pathOf(each, isMutating) === path)) continue;
    const subject = subjectOf({ ...project, resources }, webhook, crds);
    if (subject === undefined || isServed(subject, webhook, webhooks)) continue;
    const served = { ...subject, webhooks: withPath(subject, isMutating, path) };
    const index = resources.indexOf(subject);
    if (index < 0 && sharesFile({ ...project, resources }, subject)) continue;
    resources = index < 0 ? [...resources, served] : resources.with(index, served);
    notes.push({ what: `${typeOf(isMutating)} webhook of ${subject.kind} ${subject.version}`, from });
  }
  resources = resources.map((resource) => withoutUnserved(resource, { found: { webhooks, from }, notes }));
  return { project: { ...project, resources }, readFrom: [...readFrom, ...notes] };
}

function typeOf(isMutating: boolean): string {
  return isMutating ? "defaulting" : "validating";
}

function pathIn({ object }: WebhookFacts): string {
  const config = object["clientConfig"];
  const service = isRecord(config) ? config["service"] : undefined;
  return isRecord(service) ? textOf(service["path"]) : "";
}

// A second webhook of the same type for one kind has its own handler, which no entry can express.
function isServed(resource: ProjectResource, { isMutating }: WebhookFacts, webhooks: readonly WebhookFacts[]): boolean {
  const path = pathOf(resource, isMutating);
  return path !== undefined && webhooks.some((each) => each.isMutating === isMutating && pathIn(each) === path);
}

// The keys of an entry that a type of webhook has.
const KEYS = {
  mutating: { type: "defaulting", path: "defaultingPath" },
  validating: { type: "validation", path: "validationPath" },
} as const;

function keysOf(isMutating: boolean): (typeof KEYS)[keyof typeof KEYS] {
  return isMutating ? KEYS.mutating : KEYS.validating;
}

function withPath(resource: ProjectResource, isMutating: boolean, path: string): ProjectWebhooks {
  const keys = keysOf(isMutating);
  const { webhookVersion = "v1", [keys.path]: _, ...others } = resource.webhooks ?? {};
  const type = { [keys.type]: true };
  const usual = pathOf({ ...resource, webhooks: type }, isMutating);
  return { ...others, ...type, ...(usual === path ? {} : { [keys.path]: path }), webhookVersion };
}

function withoutUnserved(
  resource: ProjectResource,
  { found: { webhooks, from }, notes }: { readonly found: FoundWebhooks; readonly notes: ReadFrom[] },
): ProjectResource {
  const gone = [true, false].filter((isMutating) => {
    const path = pathOf(resource, isMutating);
    return path !== undefined && !webhooks.some((each) => each.isMutating === isMutating && pathIn(each) === path);
  });
  if (gone.length === 0) return resource;
  const removed = gone.flatMap((isMutating): readonly string[] => Object.values(keysOf(isMutating)));
  for (const isMutating of gone)
    notes.push({
      what: `no ${typeOf(isMutating)} webhook of ${resource.kind} ${resource.version}: the manifests have none`,
      from,
    });
  const { webhooks: _, ...others } = resource;
  const kept = Object.entries(resource.webhooks ?? {}).filter(([key]) => !removed.includes(key));
  const hasType = kept.some(([key]) => ["conversion", "defaulting", "validation"].includes(key));
  return hasType ? { ...others, webhooks: Object.fromEntries(kept) } : others;
}

// Without folders of groups, kinds of one name and version have one file.
function sharesFile(project: ProjectConfig, subject: ProjectResource): boolean {
  const fileOf = (each: ProjectResource): string => {
    const { webhookFolder, kindLower } = namesOf(project, each);
    return `${webhookFolder}/${kindLower}`;
  };
  return (project.resources ?? []).some((each) => each.webhooks !== undefined && fileOf(each) === fileOf(subject));
}

/** Returns the entry of the one kind that a webhook decides on, which may be a new one of a kind of Kubernetes. */
function subjectOf(
  project: ProjectConfig,
  { object }: WebhookFacts,
  crds: readonly CrdFacts[],
): ProjectResource | undefined {
  const kinds = kindsIn(object);
  const [only, ...others] = new Set(kinds.map(({ group, plural }) => `${group}/${plural}`));
  if (only === undefined || others.length > 0) return undefined;
  for (const { group, version, plural } of kinds) {
    const crd = crds.find((each) => each.group === group && each.plural === plural);
    const builtIn = builtInResources.find(
      (each) => each.group === group && each.plural === plural && (version === "*" || each.version === version),
    );
    const kind = crd?.kind ?? builtIn?.kind;
    const own = (project.resources ?? []).find(
      (each) => each.kind === kind && groupOf(project, each) === group && (version === "*" || each.version === version),
    );
    const subject = own ?? (builtIn === undefined ? undefined : coreEntry(builtIn));
    if (subject !== undefined) return subject;
  }
  return undefined;
}

// Other subresources, such as `scale` and `exec`, have other kinds.
const SAME_KIND = /\/(?:ephemeralcontainers|resize|status)$/u;

interface RuleKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

// More says no more: a webhook of several kinds has no entry.
const MOST_KINDS = 1000;

function kindsIn(object: Schema): readonly RuleKind[] {
  const kinds: RuleKind[] = [];
  for (const rule of Array.isArray(object["rules"]) ? object["rules"] : []) {
    if (!isRecord(rule)) continue;
    const lists = [rule["apiGroups"], rule["apiVersions"], rule["resources"]].map((list) => textsOf(list));
    const [groups = [], versions = [], resources = []] = lists;
    if (groups.length * versions.length * resources.length + kinds.length > MOST_KINDS) return [];
    for (const group of groups)
      for (const version of versions)
        for (const resource of resources) kinds.push({ group, version, plural: resource.replace(SAME_KIND, "") });
  }
  return kinds;
}

const NAME = "kubebuilder:webhook";
const CATALOGUE = new Map(MARKER_DEFINITIONS.filter(({ name }) => name === NAME).map((each) => [each.name, each]));

/** Reads webhooks from markers in Go files, for a project whose manifests do not exist. */
export function webhooksOfMarkers({ paths, read }: Pick<GoFiles, "paths" | "read">): FoundWebhooks {
  const files = paths.filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"));
  const found = files.flatMap((file) => {
    const webhooks = (read(file) ?? "").split("\n").flatMap((line) => {
      const text = /^\s*\/\/\s*(?<marker>\+kubebuilder:webhook:.*)$/u.exec(line)?.groups?.["marker"];
      return text === undefined ? [] : webhookOf(text.trim());
    });
    return webhooks.length === 0 ? [] : [{ file, webhooks }];
  });
  return { webhooks: found.flatMap(({ webhooks }) => webhooks), from: found[0]?.file ?? "" };
}

function webhookOf(text: string): readonly WebhookFacts[] {
  const parsed = parseMarker(text, CATALOGUE);
  if (parsed.kind !== "marker" || !isRecord(parsed.value)) return [];
  const { value } = parsed;
  const path = textOf(value["path"]);
  if (path === "" || textOf(value["name"]) === "") return [];
  const isMutating = value["mutating"] === true;
  const service = { name: textOf(value["serviceName"]) || "webhook-service", namespace: "system", path };
  const object = {
    admissionReviewVersions: textsOf(value["admissionReviewVersions"] ?? ["v1"]),
    clientConfig: { service },
    failurePolicy: textOf(value["failurePolicy"]).toLowerCase() === "ignore" ? "Ignore" : "Fail",
    ...present("matchPolicy", textOf(value["matchPolicy"])),
    name: textOf(value["name"]),
    rules: [
      {
        apiGroups: textsOf(value["groups"]).map((group) => (group === "core" ? "" : group)),
        apiVersions: textsOf(value["versions"]),
        operations: textsOf(value["verbs"]).map((verb) => verb.toUpperCase()),
        resources: textsOf(value["resources"]),
      },
    ],
    sideEffects: textOf(value["sideEffects"]) || "None",
    ...(typeof value["timeoutSeconds"] === "number" ? { timeoutSeconds: value["timeoutSeconds"] } : {}),
  };
  const configuration = `${isMutating ? "mutating" : "validating"}-webhook-configuration`;
  return [{ isMutating, configuration, object }];
}

function present(key: string, text: string): Schema {
  return text === "" ? {} : { [key]: text };
}

/**
 * Lists the versions that the webhook of a conversion converts, where PROJECT only says that there is one: kubebuilder recorded them from its version 4 on.
 *
 * Guarantees: of each kind at most one version is the hub, which is the stored one if PROJECT leaves it open; a kind without another version has no conversion.
 */
export function withSpokes({ project, readFrom }: CompletedProject, crds: readonly CrdFacts[]): CompletedProject {
  const listed = project.resources ?? [];
  const notes: ReadFrom[] = [];
  const resources = listed.map((resource) => {
    if (!isOpen(resource)) return resource;
    const group = groupOf(project, resource);
    const ofKind = listed.filter((each) => each.kind === resource.kind && groupOf(project, each) === group);
    const crd = crds.find((each) => each.group === group && each.kind === resource.kind);
    const spokes = ofKind.filter((each) => each !== resource && each.api !== undefined).map(({ version }) => version);
    const name = `${resource.kind} ${resource.version}`;
    const from = crd?.source ?? "PROJECT";
    if (hubOf(ofKind, crd) !== resource || spokes.length === 0) {
      notes.push({ what: `no conversion to ${name}: no other version is converted to it`, from });
      return withoutConversion(resource);
    }
    notes.push({ what: `conversions of ${spokes.join(", ")} to ${name}`, from });
    return { ...resource, webhooks: { ...resource.webhooks, spoke: spokes } };
  });
  return notes.length === 0
    ? { project, readFrom }
    : { project: { ...project, resources }, readFrom: [...readFrom, ...notes] };
}

function isOpen({ webhooks }: ProjectResource): boolean {
  return webhooks?.conversion === true && (webhooks.spoke ?? []).length === 0;
}

function hubOf(ofKind: readonly ProjectResource[], crd: CrdFacts | undefined): ProjectResource | undefined {
  const hubs = ofKind.filter(({ webhooks }) => webhooks?.conversion === true);
  const stored = crd?.versions.find(({ storage }) => storage)?.name;
  return hubs.find((each) => !isOpen(each)) ?? hubs.find(({ version }) => version === stored) ?? hubs[0];
}

function withoutConversion(resource: ProjectResource): ProjectResource {
  const { webhooks, ...others } = resource;
  const { conversion: _conversion, spoke: _spoke, ...kept } = webhooks ?? {};
  return kept.defaulting === true || kept.validation === true ? { ...others, webhooks: kept } : others;
}
