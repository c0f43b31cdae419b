import { FileTree } from "../machinery/file-tree.ts";
import { renderTemplate } from "../machinery/template.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { ResolvedPlugins } from "../plugin/registry.ts";
import { createReplayContext } from "../plugin/replay-context.ts";
import { BOILERPLATE_FILE } from "../project/boilerplate-file.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../project/project-config.ts";
import { orderParts } from "./order-parts.ts";
import { contributorFor, partsOf, type ProjectPart, replayParts } from "./replay.ts";
import { webhookSteps } from "./webhook-steps.ts";

/** What a project is made again from. */
export interface Regeneration {
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  /** The plugins that have stored data in PROJECT: their part of `edit` is made again too. */
  readonly added: readonly Plugin[];
  /** The project as it is: its licence comment, the order of its parts, and what its plugins let the user write. */
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

/** A plugin's part of a project that is made again from what the generators have written. */
export interface LateParts {
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
    const part = wanted.kind === "init" ? wanted : { ...wanted, resource: grown(wanted, done) };
    if (part.kind !== "init") project = withResource(project, part.resource);
    for (const plugin of plugins.plugins.filter((each) => each.readsGenerated !== true)) {
      const context = createReplayContext(plugin, { tree, project, chain: plugins.keys, render: renderTemplate });
      const before = new Set(tree.files());
      for (const { run } of contributorFor(part, plugin, { tree, packages: request.packages })) await run(context);
      if (isEdited(plugin, request)) for (const path of tree.files()) if (!before.has(path)) edited.add(path);
    }
  }
  return { tree, edited };
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
function grown(
  part: Exclude<ProjectPart, { readonly kind: "init" }>,
  done: Map<string, Set<ProjectPart["kind"]>>,
): ProjectResource {
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
