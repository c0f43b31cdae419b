import { FileTree } from "../machinery/file-tree.ts";
import type { Fragment } from "../machinery/insertion-points.ts";
import { indexOfLines } from "../machinery/replace-lines.ts";
import { renderTemplate } from "../machinery/template.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { ResolvedPlugins } from "../plugin/registry.ts";
import { createReplayContext } from "../plugin/replay-context.ts";
import { BOILERPLATE_FILE } from "../project/boilerplate-file.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../project/project-config.ts";
import { namesOf, versionsOfKind } from "../project/resource-names.ts";
import { copiedFrom } from "../project/version-records.ts";
import { copiedFiles } from "./copied-files.ts";
import { contributorFor, partsOf, type ProjectPart, replayParts, type ResourcePart } from "./replay.ts";
import {
  isMarkedUnserved,
  markedVersion,
  markStorageVersion,
  markUnserved,
  unmarkStorageVersion,
} from "./storage-version.ts";

/** What a project is regenerated from. */
export interface Regeneration {
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  /** The plugins that have stored data in PROJECT: their part of `edit` is regenerated too. */
  readonly added: readonly Plugin[];
  /** The project as it is: its license comment, the order of its parts, and what its plugins let the user write. */
  readonly source: FileTree;
  readonly packages: Readonly<Record<string, string>>;
}

/** A file as scaffolds make it. */
export interface RegeneratedFile {
  readonly content: string;
  readonly isExecutable: boolean;
}

/**
 * Returns the files of a project as its scaffolds make them now, one part after the other as its commands did.
 *
 * Guarantees: nothing is written; the source is only read. What a scaffold leaves to the user, such as settings of a plugin, is as it is in the source.
 */
export async function regenerate(request: Regeneration): Promise<ReadonlyMap<string, RegeneratedFile>> {
  return runEdits(request, await runParts(request));
}

/** A plugin's part of a project that is regenerated from what the generators have written. */
interface LateParts {
  readonly files: ReadonlyMap<string, RegeneratedFile>;
  /** Files that it makes no more. */
  readonly deleted: readonly string[];
}

/**
 * Returns what plugins that read what the generators write make of a project.
 *
 * Guarantees: as {@link regenerate}. `made` is the project with all that comes before; what it does not have, such as definitions that were not
 * generated now, is as it is in the source.
 */
export async function regenerateLate(request: Regeneration, made: FileTree): Promise<LateParts> {
  const { source, project, added } = request;
  const tree = new FileTree({
    read: (path) => made.read(path) ?? source.read(path),
    listBelow: (folder) => [...new Set([...made.filesBelow(folder), ...source.filesBelow(folder)])],
  });
  for (const plugin of added.filter((each) => each.edit !== undefined && each.readsGenerated === true))
    await plugin.edit?.(
      createReplayContext(plugin, { tree, project, chain: request.plugins.keys, render: renderTemplate }),
      { previous: project },
    );
  const kept = tree.skipped().filter((path) => !made.exists(path));
  const files = [...kept, ...tree.files()].map((path): readonly [string, RegeneratedFile] => {
    const content = tree.readExisting(path);
    return [path, { content, isExecutable: content.startsWith("#!") }];
  });
  const deleted = tree
    .actions()
    .flatMap((each) => (each.kind === "delete" && made.exists(each.path) ? [each.path] : []));
  return { files: new Map(files), deleted };
}

interface Foundation {
  readonly tree: FileTree;
  /** The files that plugins with a part of `edit` have made before. */
  readonly edited: ReadonlySet<string>;
}

async function runParts(request: Regeneration): Promise<Foundation> {
  const { source, plugins } = request;
  const boilerplate = source.read(BOILERPLATE_FILE);
  const tree = new FileTree({ read: () => undefined });
  if (boilerplate !== undefined) tree.create(BOILERPLATE_FILE, boilerplate);
  const done = new Map<string, Set<ProjectPart["kind"]>>();
  const edited = new Set<string>();
  let project: ProjectConfig = { ...request.project, resources: [] };
  for (const wanted of await orderedParts(request)) {
    const part = isOfResource(wanted) ? { ...wanted, resource: grown(wanted, done) } : wanted;
    if (isOfResource(part)) project = withResource(project, part.resource);
    for (const plugin of plugins.plugins.filter((each) => each.readsGenerated !== true)) {
      const context = createReplayContext(plugin, { tree, project, chain: plugins.keys, render: renderTemplate });
      const before = new Set(tree.files());
      for (const { run } of contributorFor(part, plugin, { tree, packages: request.packages })) await run(context);
      if (isEdited(plugin, request)) for (const path of tree.files()) if (!before.has(path)) edited.add(path);
    }
  }
  copyVersions(tree, request.project);
  await keepVersionMarks(tree, request);
  return { tree, edited };
}

function copyVersions(tree: FileTree, project: ProjectConfig): void {
  for (const resource of project.resources ?? []) {
    const source = copiedFrom(project, resource);
    if (source === undefined) continue;
    for (const [file, text] of copiedFiles(tree, project, { source, resource })) tree.update(file, () => text);
  }
}

// Which version is stored, and which are served, is recorded by types alone.
async function keepVersionMarks(tree: FileTree, { project, source }: Regeneration): Promise<void> {
  for (const resource of project.resources ?? []) {
    if (resource.api === undefined) continue;
    const before = markedVersion(source, project, resource);
    if (before !== undefined)
      for (const each of versionsOfKind(project, resource))
        if (each !== before) await unmarkStorageVersion(tree, project, each);
    await markStorageVersion(tree, project, { resource, before });
    if (isMarkedUnserved(source, project, resource)) await markUnserved(tree, project, resource);
  }
}

async function orderedParts({ project, plugins, source }: Regeneration): Promise<readonly ProjectPart[]> {
  const replay = { project, plugins: plugins.plugins, chain: plugins.keys, tree: source };
  const placed = await Promise.all(
    partsOf(project).map(async (part) => ({
      part,
      fragments: part.kind === "init" ? [] : (await replayParts([part], replay)).fragments,
    })),
  );
  return orderParts(placed, source).flatMap((part): readonly ProjectPart[] =>
    part.kind === "webhook" ? webhookSteps(part, project, source) : [part],
  );
}

// Scaffolds look at what a project has so far: each part meets the entry as it was when the part was made.
function grown(part: ResourcePart, done: Map<string, Set<ProjectPart["kind"]>>): ProjectResource {
  const key = gvkKey(part.resource);
  const kinds = done.get(key) ?? new Set();
  done.set(key, kinds.add(part.kind));
  const { api, controller, controllers, webhooks, ...identity } = part.resource;
  return {
    ...identity,
    ...(api !== undefined && kinds.has("types") ? { api } : {}),
    ...(controller !== undefined && kinds.has("controller") ? { controller } : {}),
    ...(controllers !== undefined && kinds.has("controller") ? { controllers } : {}),
    ...(webhooks !== undefined && kinds.has("webhook") ? { webhooks } : {}),
  };
}

function isOfResource(part: ProjectPart): part is ResourcePart {
  return part.kind !== "init" && part.kind !== "kubectl-plugin";
}

function gvkKey({ group = "", domain = "", version, kind }: ProjectResource): string {
  return [group, domain, version, kind].join("/");
}

function isEdited(plugin: Plugin, { added }: Regeneration): boolean {
  return plugin.edit !== undefined && plugin.readsGenerated !== true && added.includes(plugin);
}

async function runEdits(
  request: Regeneration,
  { tree: foundation, edited }: Foundation,
): Promise<ReadonlyMap<string, RegeneratedFile>> {
  const { source, project, plugins } = request;
  const made = filesOf(foundation);
  // What such a plugin leaves to the user must not be hidden from it by what it began with.
  const base = new Map([...made].filter(([path]) => !edited.has(path) || !source.exists(path)));
  const tree = new FileTree({
    read: (path) => base.get(path)?.content ?? source.read(path),
    list: () => [...base.keys()],
  });
  const replay = { tree, project, chain: plugins.keys, render: renderTemplate };
  for (const plugin of request.added.filter((each) => isEdited(each, request)))
    await plugin.edit?.(createReplayContext(plugin, replay), { previous: project });
  const left = tree.skipped().flatMap((path) => {
    const content = base.has(path) ? undefined : source.read(path);
    return content === undefined ? [] : [[path, { content, isExecutable: false }] as const];
  });
  const planned = tree.files().map((path): readonly [string, RegeneratedFile] => {
    const content = tree.readExisting(path);
    return [path, { content, isExecutable: content.startsWith("#!") }];
  });
  return new Map([...made, ...left, ...planned]);
}

function filesOf(tree: FileTree): ReadonlyMap<string, RegeneratedFile> {
  return new Map(
    tree.actions().flatMap((action) => (action.kind === "create" ? [[action.path, action] as const] : [])),
  );
}

/** A part with the lines that it contributes to files of others. */
export interface PlacedPart {
  readonly part: ProjectPart;
  readonly fragments: readonly Fragment[];
}

/**
 * Puts parts into the order in which commands made them, as the order of their lines in the project tells.
 *
 * Guarantees: `init` is first, and the types of a resource come before what uses them; parts of which nothing is known keep their order.
 */
export function orderParts(parts: readonly PlacedPart[], tree: FileTree): readonly ProjectPart[] {
  const before = predecessors(parts, tree);
  const left = new Set(parts.keys());
  const ordered: ProjectPart[] = [];
  for (let count = 0; count < parts.length; count += 1) {
    const isFree = (index: number): boolean => [...(before.get(index) ?? [])].every((each) => !left.has(each));
    // Lines that were moved about may contradict each other: then the order of PROJECT decides.
    const next = [...left].find((index) => isFree(index)) ?? [...left][0] ?? 0;
    left.delete(next);
    ordered.push(...parts.slice(next, next + 1).map(({ part }) => part));
  }
  return ordered;
}

function predecessors(parts: readonly PlacedPart[], tree: FileTree): ReadonlyMap<number, ReadonlySet<number>> {
  const before = new Map<number, Set<number>>([...parts.keys()].map((index) => [index, new Set()]));
  for (const places of placesByMarker(parts, tree).values()) {
    // Of lines that several parts contribute nobody knows which of them came first.
    const own = places.filter(({ line }) => places.filter((each) => each.line === line).length === 1);
    const sorted = own.toSorted((left, right) => left.line - right.line);
    sorted.slice(1).forEach(({ index }, offset) => {
      const previous = sorted[offset];
      if (previous !== undefined && previous.index !== index) before.get(index)?.add(previous.index);
    });
  }
  parts.forEach(({ part }, index) => {
    parts.forEach(({ part: other }, earlier) => {
      if (earlier !== index && isFoundation(other, part)) before.get(index)?.add(earlier);
    });
  });
  return before;
}

interface Place {
  readonly index: number;
  readonly line: number;
}

function placesByMarker(parts: readonly PlacedPart[], tree: FileTree): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  parts.forEach(({ fragments }, index) => {
    for (const { path, marker, lines, position } of fragments) {
      const content = position === "below" ? undefined : tree.read(path);
      const line = content === undefined ? -1 : indexOfLines(content, lines);
      if (line < 0) continue;
      const key = `${path} ${marker}`;
      places.set(key, [...(places.get(key) ?? []), { index, line }]);
    }
  });
  return places;
}

function isFoundation(earlier: ProjectPart, later: ProjectPart): boolean {
  if (earlier.kind === "init") return later.kind !== "init";
  if (later.kind === "kubectl-plugin") return earlier.kind !== "kubectl-plugin";
  return (
    earlier.kind === "types" && later.kind !== "types" && later.kind !== "init" && earlier.resource === later.resource
  );
}

type WebhookPart = Extract<ProjectPart, { readonly kind: "webhook" }>;

/**
 * Returns the webhooks of a resource as the commands that made them did: in two steps where the file has its validator before its defaulter,
 * which one command never writes.
 */
export function webhookSteps(part: WebhookPart, project: ProjectConfig, source: FileTree): readonly WebhookPart[] {
  const { resource } = part;
  const { defaulting, defaultingName: _name, defaultingPath: _path, ...others } = resource.webhooks ?? {};
  if (defaulting !== true || others.validation !== true || !isValidatorFirst(part, project, source)) return [part];
  return [
    { kind: "webhook", resource: { ...resource, webhooks: others } },
    { kind: "webhook", resource, added: ["defaulting"] },
  ];
}

function isValidatorFirst({ resource }: WebhookPart, project: ProjectConfig, source: FileTree): boolean {
  const { webhookFolder, kindLower } = namesOf(project, resource);
  const text = source.read(`${webhookFolder}/${kindLower}_webhook.ts`) ?? "";
  const validator = text.indexOf(".withValidator(");
  return validator !== -1 && validator < text.indexOf(".withDefaulter(");
}
