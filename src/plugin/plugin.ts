import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import type { Flag, PluginCommand } from "./flag.ts";
import type { ScaffoldContext, TemplateSource } from "./scaffold-context.ts";

/** What `init` was asked for, besides what is in the project already. */
export interface InitOptions {
  /** The comment at the top of every source file; empty for none. */
  readonly boilerplate: string;
  /** The specs by which the new project depends on the packages of Kubescaffold, by package name. */
  readonly packages: Readonly<Record<string, string>>;
}

/** What `edit` was asked for: the project as it was, to compare with the one of the context. */
export interface EditOptions {
  /** The project before the command. */
  readonly previous: ProjectConfig;
}

/** What `create api` was asked for; the resource is in the project of the context already. */
export interface CreateApiOptions {
  /** The resource that gets types, a controller, or both. */
  readonly resource: ProjectResource;
  /** Whether the types are written. */
  readonly writesResource: boolean;
  /** Whether the controller is written. */
  readonly writesController: boolean;
  /** The name of the controller, where it is not that of the kind. */
  readonly controllerName?: string | undefined;
  /** Whether existing files are overwritten. */
  readonly force: boolean;
}

/** What `create webhook` was asked for; the resource is in the project of the context already. */
export interface CreateWebhookOptions {
  /** The resource with all its webhooks. */
  readonly resource: ProjectResource;
  /** The project without the new webhooks. */
  readonly previous: ProjectConfig;
  /** Whether a defaulting webhook is added. */
  readonly defaulting: boolean;
  /** Whether a validating webhook is added. */
  readonly validation: boolean;
  /** The resource is to be the hub of its kind; its spokes are in the resource. */
  readonly conversion: boolean;
  /** Whether existing files are overwritten. */
  readonly force: boolean;
}

/** What `create kubectl-plugin` was asked for; the plugin is in the project of the context already. */
export interface CreateKubectlPluginOptions {
  /** The name of the kubectl plugin. */
  readonly name: string;
  /** The resource whose kind its sample commands read. */
  readonly resource: ProjectResource;
  /** Whether existing files are overwritten. */
  readonly force: boolean;
}

/** Plans what a plugin contributes to a command, in the tree of the context; the command waits for it. */
export type Scaffold<Options> = (context: ScaffoldContext, options: Options) => void | Promise<void>;

/** What a plugin says of its part in a command; either text may be empty. */
export interface PluginHelp {
  /** Paragraphs on what the plugin adds to the command. */
  readonly description: string;
  /** Commands, one per line. */
  readonly examples: string;
}

/** What a plugin can do: it lists only the commands it takes part in. */
export interface Plugin {
  /** `name/version`, such as `ts.kubescaffold.dev/v1`. */
  readonly key: string;
  /** A phrase for tables of plugins. */
  readonly description: string;
  /** Omitted of the tables that help prints. */
  readonly isHidden?: boolean;
  /**
   * Stores in PROJECT all that its part of a command depends on, so that the same part, run again without flags, plans the same: it takes part
   * when a project is compared with what it was generated from, although it is not one of the plugins that all commands run.
   */
  readonly isReplayable?: boolean;
  /**
   * Looks at what the generators write: they run before its part of `edit`, unless `--make=false`, and of a project that is regenerated its part
   * comes last.
   */
  readonly readsGenerated?: boolean;
  /**
   * Returns the folder that its part of `edit` makes of a project as a whole, given what it has stored in PROJECT: commands that change the
   * project without it say how that is regenerated, and `doctor` finds what it would change there.
   */
  readonly outputFolder?: (configuration: unknown) => string;
  /**
   * Works on whatever files the project has, so that its part of a command cannot be distinguished from theirs: it is run again when a project is made
   * again as a whole, and not when single parts are compared, taken out or renamed.
   */
  readonly needsWholeProject?: boolean;
  /**
   * Returns what it stored in PROJECT, read from the files that it wrote; nothing for a project without them. `alpha restore-project` calls it.
   * The project is complete except for the data of plugins.
   */
  readonly restoreConfiguration?: (context: Pick<ScaffoldContext, "project" | "tree">) => object | undefined;
  /** The templates that its scaffolds render. */
  readonly templates: TemplateSource;
  /** Returns the flags that it adds to a command it takes part in; their values are in the context. `words` is what is after the command. */
  readonly flags?: (command: PluginCommand, words: readonly string[]) => readonly Flag[] | Promise<readonly Flag[]>;
  /** Returns what help says of its part in a command. */
  readonly help?: (command: PluginCommand) => PluginHelp | Promise<PluginHelp>;
  /** Its part of `init`. */
  readonly init?: Scaffold<InitOptions>;
  /** Its part of `edit`. */
  readonly edit?: Scaffold<EditOptions>;
  /** Its part of `create api`. */
  readonly createApi?: Scaffold<CreateApiOptions>;
  /** Its part of `create webhook`. */
  readonly createWebhook?: Scaffold<CreateWebhookOptions>;
  /** Its part of `create kubectl-plugin`; plugins in other programs take no part. */
  readonly createKubectlPlugin?: Scaffold<CreateKubectlPluginOptions>;
}

/** Several plugins under one key; they run in their order. */
export interface PluginBundle {
  /** `name/version`, as `--plugins` selects it. */
  readonly key: string;
  /** A phrase for tables of plugins. */
  readonly description: string;
  /** The plugins, in the order in which they run. */
  readonly plugins: readonly Plugin[];
}

/** Checks nothing and changes nothing: gives a plugin its type. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

/** Puts plugins together under one key. */
export function defineBundle(bundle: PluginBundle): PluginBundle {
  return bundle;
}
