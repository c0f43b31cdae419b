import { enableBlock } from "../machinery/enable-block.ts";
import type { FileTree, IfExists } from "../machinery/file-tree.ts";
import { type Fragment, insertAtMarker } from "../machinery/insertion-marker.ts";
import type { renderTemplate, TemplateValues } from "../machinery/template.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { FlagValues } from "./flag.ts";
import type { TemplateSource } from "./template-source.ts";

/** What a scaffold works with. It plans; the command commits once all plugins have planned. */
export interface ScaffoldContext {
  readonly tree: FileTree;
  /** The project as it will be saved. */
  readonly project: ProjectConfig;
  /** The flags that were given, those of the plugin among them. */
  readonly flags: FlagValues;
  /** What the plugin has stored in PROJECT, if anything. */
  readonly configuration: unknown;
  /** Stores data of the plugin in PROJECT, in place of what it stored before. */
  readonly storeConfiguration: (configuration: object) => void;
  /** Renders all templates below a folder of the plugin into the tree. */
  readonly renderTemplates: (folder: string, options: RenderOptions) => void;
  /** Renders the one template of this path and returns its lines, for blocks that are switched on in a file. */
  readonly renderLines: (template: string, values: TemplateValues) => readonly string[];
  /** Inserts lines above an insertion marker. */
  readonly insert: (fragment: Fragment) => void;
  /** Takes the comment signs from a block of lines. */
  readonly enable: (path: string, lines: readonly string[]) => void;
  /** Tells the user something when the command is done. */
  readonly note: (message: string) => void;
}

/** How templates become files. */
export interface RenderOptions {
  readonly values: TemplateValues;
  /** What stands for `__name__` in paths. */
  readonly paths?: Readonly<Record<string, string>>;
  /** The folder of the project that the templates go to; its root unless given. */
  readonly into?: string;
  readonly ifExists?: IfExists;
  /** Paths, after placeholders are filled in, that are left out. */
  readonly without?: (path: string) => boolean;
}

/** Makes the context of one plugin. */
export function createScaffoldContext(parts: {
  readonly tree: FileTree;
  readonly project: ProjectConfig;
  readonly templates: TemplateSource;
  /** Handed in, so that a program which only lists its plugins does not load the templates' engine. */
  readonly render: typeof renderTemplate;
  readonly note: (message: string) => void;
  readonly flags: FlagValues;
  readonly configuration: unknown;
  readonly storeConfiguration: (configuration: object) => void;
}): ScaffoldContext {
  const { tree, project, templates, render, note, flags, configuration, storeConfiguration } = parts;
  return {
    tree,
    project,
    flags,
    configuration,
    storeConfiguration,
    note,
    renderTemplates: (folder, options) => {
      for (const [name, text] of Object.entries(templates.below(folder))) {
        const below = fillPath(name, options.paths ?? {});
        const path = options.into === undefined ? below : `${options.into}/${below}`;
        if (options.without?.(path) === true) continue;
        const content = render({ path: `${folder}/${name}`, text }, options.values);
        tree.create(path, content, { ifExists: options.ifExists ?? "error", isExecutable: content.startsWith("#!") });
      }
    },
    renderLines: (template, values) => {
      const folder = template.slice(0, template.lastIndexOf("/"));
      const text = templates.below(folder)[template.slice(folder.length + 1)] ?? "";
      return render({ path: template, text }, values).trimEnd().split("\n");
    },
    insert: (fragment) => tree.update(fragment.path, (content) => insertAtMarker(content, fragment)),
    enable: (path, lines) => tree.update(path, (content) => enableBlock(content, { path, lines })),
  };
}

function fillPath(name: string, paths: Readonly<Record<string, string>>): string {
  return name.replaceAll(/__(?<key>[a-z]+)__/gu, (whole, key: string) => paths[key] ?? whole);
}
