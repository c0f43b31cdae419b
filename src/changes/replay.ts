import type { FileTree } from "../machinery/file-tree.ts";
import { renderTemplate } from "../machinery/template.ts";
import { type Contributions, type Contributor, recordContributions } from "../plugin/contributions.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { BOILERPLATE_FILE } from "../project/boilerplate-file.ts";
import { kubectlPluginsOf, resourceOfPlugin } from "../project/kubectl-plugins.ts";
import { controllerNames } from "../project/plans/plan-controllers.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../project/project-config.ts";

/** One part of what a project was generated from. */
export type ProjectPart =
  | { readonly kind: "init" }
  | { readonly kind: "types"; readonly resource: ProjectResource }
  | { readonly kind: "controller"; readonly resource: ProjectResource; readonly name: string }
  | {
      readonly kind: "webhook";
      readonly resource: ProjectResource;
      /** The types that are added to those that are there; all of the resource, regenerated, unless given. */
      readonly added?: readonly WebhookType[];
      /** The resource without them; as the project has it unless given. */
      readonly before?: ProjectResource;
    }
  | {
      readonly kind: "kubectl-plugin";
      /** The resource whose kind its sample commands read. */
      readonly resource: ProjectResource;
      readonly name: string;
    };

/** A part that belongs to a resource of PROJECT. */
export type ResourcePart = Extract<ProjectPart, { readonly kind: "types" | "controller" | "webhook" }>;

/** What a webhook does. */
export type WebhookType = "defaulting" | "validation" | "conversion";

/** Lists the parts that PROJECT records, in the order in which commands make them. */
export function partsOf(project: ProjectConfig): readonly ProjectPart[] {
  return [
    { kind: "init" },
    ...(project.resources ?? []).flatMap((resource) => resourceParts(resource)),
    ...kubectlPluginsOf(project).map((record) => ({
      kind: "kubectl-plugin" as const,
      resource: resourceOfPlugin(project, record),
      name: record.name,
    })),
  ];
}

/** Lists the parts of one resource. */
function resourceParts(resource: ProjectResource): readonly ProjectPart[] {
  const { defaulting, validation, conversion } = resource.webhooks ?? {};
  const hasWebhooks = defaulting === true || validation === true || conversion === true;
  return [
    ...(resource.api === undefined ? [] : [{ kind: "types", resource } as const]),
    ...controllerNames(resource).map((name) => ({ kind: "controller", resource, name }) as const),
    ...(hasWebhooks ? [{ kind: "webhook", resource } as const] : []),
  ];
}

/** Whose scaffolds are replayed, and against what. */
export interface ReplayOptions {
  readonly project: ProjectConfig;
  readonly plugins: readonly Plugin[];
  /** The keys of the plugins. */
  readonly chain: readonly string[];
  /** The project as it is: its license comment and package.json are read, nothing is changed. */
  readonly tree: FileTree;
  /** The specs by which the project depends on the packages of Kubescaffold; none unless given. */
  readonly packages?: Readonly<Record<string, string>>;
}

/** Returns what the scaffolds of the parts contribute to the project, as if they were made now. */
export function replayParts(parts: readonly ProjectPart[], options: ReplayOptions): Promise<Contributions> {
  const { project, plugins, chain, tree } = options;
  const contributors = parts.flatMap((part) => plugins.flatMap((plugin) => contributorFor(part, plugin, options)));
  const known = parts.some((part) => part.kind === "init") ? [BOILERPLATE_FILE] : [BOILERPLATE_FILE, "package.json"];
  return recordContributions(contributors, {
    project,
    chain,
    render: renderTemplate,
    reader: { read: (path) => (known.includes(path) ? tree.read(path) : undefined) },
  });
}

/** Returns the scaffold of a plugin for a part, ready to be run, or nothing when it takes no part in it. */
export function contributorFor(
  part: ProjectPart,
  plugin: Plugin,
  { tree, packages = {} }: Pick<ReplayOptions, "tree" | "packages">,
): readonly Contributor[] {
  switch (part.kind) {
    case "init": {
      const { init } = plugin;
      const options = { boilerplate: (tree.read(BOILERPLATE_FILE) ?? "").trimEnd(), packages };
      return init === undefined ? [] : [{ plugin, run: (context) => init(context, options) }];
    }
    case "webhook": {
      const { createWebhook } = plugin;
      const { resource, added, before } = part;
      const makes = (type: WebhookType): boolean => added?.includes(type) ?? resource.webhooks?.[type] === true;
      if (createWebhook === undefined) return [];
      return [
        {
          plugin,
          run: (context) =>
            createWebhook(context, {
              resource,
              previous: before === undefined ? context.project : withResource(context.project, before),
              defaulting: makes("defaulting"),
              validation: makes("validation"),
              conversion: makes("conversion"),
              force: added === undefined,
            }),
        },
      ];
    }
    case "kubectl-plugin": {
      const { createKubectlPlugin } = plugin;
      const { name, resource } = part;
      return createKubectlPlugin === undefined
        ? []
        : [{ plugin, run: (context) => createKubectlPlugin(context, { name, resource, force: true }) }];
    }
    case "types":
    case "controller": {
      const { createApi } = plugin;
      const { resource } = part;
      const isTypes = part.kind === "types";
      const parts = { resource, writesResource: isTypes, writesController: !isTypes, force: true };
      const controllerName = part.kind === "controller" ? part.name : undefined;
      return createApi === undefined
        ? []
        : [{ plugin, run: (context) => createApi(context, { ...parts, controllerName }) }];
    }
  }
}
