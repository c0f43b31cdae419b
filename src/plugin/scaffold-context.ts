import { breakLongLines } from "../machinery/break-lines.ts";
import { TemplateError } from "../machinery/errors.ts";
import type { FileTree, IfExists } from "../machinery/file-tree.ts";
import { enableBlock, type Fragment, insertAtMarker } from "../machinery/insertion-points.ts";
import type { renderTemplate, TemplateValues, CompiledTemplate, Template } from "../machinery/template.ts";
import type { TypeMarker } from "../machinery/type-markers.ts";
import { packageManagerOf, type ManagerWords, wordsOf } from "../project/package-manager.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { FlagValues } from "./flag.ts";

/** What a scaffold works with. It plans; the command commits once all plugins have planned. */
export interface ScaffoldContext {
  /** The planned files of the project. */
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
  /** Adds a marker to the comment of a type in a file; says whether the file has such a type with a comment. */
  readonly markType: (path: string, marker: TypeMarker) => Promise<boolean>;
  /** Removes a marker from the comment of a type in a file; returns whether it was there. */
  readonly unmarkType: (path: string, marker: TypeMarker) => Promise<boolean>;
  /** The commands of the project's package manager, which templates know by this name, too. */
  readonly pm: ManagerWords;
  /** Tells the user something when the command is done. */
  readonly note: (message: string) => void;
}

/** How templates become files. */
export interface RenderOptions {
  /** The values of the templates, beside `pm`: the commands of the project's package manager. */
  readonly values: TemplateValues;
  /** What stands for `__name__` in paths. */
  readonly paths?: Readonly<Record<string, string>>;
  /** The folder of the project that the templates go to; its root unless given. */
  readonly into?: string;
  /** What happens to a file that exists, or a function of its path that says so; "error" unless given. */
  readonly ifExists?: IfExists | ((path: string) => IfExists);
  /** Paths, after placeholders are filled in, that are omitted. */
  readonly without?: (path: string) => boolean;
}

/** Makes the context of one plugin. */
export function createScaffoldContext(parts: {
  readonly tree: FileTree;
  readonly project: ProjectConfig;
  readonly templates: TemplateSource;
  /** A parameter, so that a program that only lists its plugins does not load the template engine. */
  readonly render: typeof renderTemplate;
  readonly note: (message: string) => void;
  readonly flags: FlagValues;
  readonly configuration: unknown;
  readonly storeConfiguration: (configuration: object) => void;
}): ScaffoldContext {
  const { tree, project, templates, note, flags, configuration, storeConfiguration } = parts;
  const pm = wordsOf(packageManagerOf(project));
  const render: typeof renderTemplate = (template, values) => parts.render(template, { pm, ...values });
  return {
    tree,
    project,
    flags,
    configuration,
    storeConfiguration,
    pm,
    note,
    renderTemplates: (folder, options) => {
      for (const [name, template] of Object.entries(templates.below(folder))) {
        const below = fillPath(name, options.paths ?? {});
        const path = options.into === undefined ? below : `${options.into}/${below}`;
        if (options.without?.(path) === true) continue;
        const rendered = render({ path: `${folder}/${name}`, template }, options.values);
        // Templates are laid out for names of common lengths.
        const content = path.endsWith(".ts") ? breakLongLines(rendered) : rendered;
        // The words of package managers are ours, but for the version.
        const isPlain =
          templates.areTested === true &&
          content === rendered &&
          arePlain({ ...options.values, pm: pm.version }, template().names);
        const { ifExists = "error" } = options;
        tree.create(path, content, {
          ifExists: typeof ifExists === "function" ? ifExists(path) : ifExists,
          isExecutable: content.startsWith("#!"),
          isPlain,
        });
      }
    },
    renderLines: (template, values) => {
      const folder = template.slice(0, template.lastIndexOf("/"));
      const found = templates.below(folder)[template.slice(folder.length + 1)];
      if (found === undefined) throw new TemplateError(`cannot render ${template}: the plugin has no such template`);
      return render({ path: template, template: found }, values).trimEnd().split("\n");
    },
    insert: (fragment) => tree.update(fragment.path, (content) => insertAtMarker(content, fragment)),
    markType: (path, marker) => markType(tree, path, marker),
    unmarkType: (path, marker) => unmarkType(tree, path, marker),
    enable: (path, lines) => tree.update(path, (content) => enableBlock(content, { path, lines })),
  };
}

async function markType(tree: FileTree, path: string, marker: TypeMarker): Promise<boolean> {
  const text = tree.read(path);
  if (text === undefined) return false;
  // The syntax of TypeScript is loaded for this alone.
  const { addTypeMarker } = await import("../machinery/type-markers.ts");
  const marked = addTypeMarker(text, marker);
  if (marked !== undefined && marked !== text) tree.update(path, () => marked);
  return marked !== undefined;
}

async function unmarkType(tree: FileTree, path: string, marker: TypeMarker): Promise<boolean> {
  const text = tree.read(path);
  if (text?.includes(marker.marker) !== true) return false;
  const { removeTypeMarker } = await import("../machinery/type-markers.ts");
  const unmarked = removeTypeMarker(text, marker);
  if (unmarked !== undefined) tree.update(path, () => unmarked);
  return unmarked !== undefined;
}

function fillPath(name: string, paths: Readonly<Record<string, string>>): string {
  return name.replaceAll(/__(?<key>[a-z]+)__/gu, (whole, key: string) => paths[key] ?? whole);
}

/** The templates of a plugin, by path with forward slashes, without the extension `.hbs`. */
export interface TemplateSource {
  /** Returns the templates below a folder, by their paths below it. */
  readonly below: (folder: string) => Readonly<Record<string, Template>>;
  /**
   * Whether tests parse what the templates are with plain words in them. A file that is such a template is not parsed again before it is written. Default: false.
   */
  readonly areTested?: boolean;
}

/** Returns the templates of a module that `npm run generate:templates` wrote, keyed by their whole path. */
export function compiledTemplates(
  templates: Readonly<Record<string, CompiledTemplate>>,
  { areTested = false }: Pick<TemplateSource, "areTested"> = {},
): TemplateSource {
  return { ...keyedTemplates(templates, (template) => () => template), areTested };
}

/** Returns templates in memory, keyed by their whole path. */
export function keyedTemplates<T>(
  templates: Readonly<Record<string, T>>,
  templateOf: (each: T) => Template,
): TemplateSource {
  return {
    below: (folder) =>
      Object.fromEntries(
        Object.entries(templates)
          .filter(([name]) => name.startsWith(`${folder}/`))
          .map(([name, each]) => [name.slice(folder.length + 1), templateOf(each)]),
      ),
  };
}

// No character that ends a text, starts a comment, or has a meaning in YAML.
const WORDS = /^[\w./](?:[\w./@-]|(?<=[\w.]) (?=[\w.-]))*$/u;

// A whole comment, or lines of comments: what a license at the top of a source is.
const COMMENTS = /^(?:\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\r\n\u2028\u2029]*\r?\n))+\s*$/u;

const RESERVED: ReadonlySet<string> = new Set(
  `arguments as async await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for from function get if implements import in instanceof interface let module new null of package private protected
  public return set static super switch this throw true try type typeof undefined var void while with yield`.split(
    /\s+/u,
  ),
);

/** The value at the top of sources. */
const LICENSE = "boilerplate";

/**
 * Reports whether all values under some names are words that can stand wherever a template has a value: identifiers, names, paths, numbers, and lists of
 * these; the license at the top of sources consists of comments.
 */
export function arePlain(values: TemplateValues, names: readonly string[]): boolean {
  return names.every((name) => isPlain(values[name]) || (name === LICENSE && isLicense(values[name])));
}

function isLicense(value: unknown): boolean {
  return typeof value === "string" && COMMENTS.test(value);
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return value === "" || (WORDS.test(value) && !RESERVED.has(value));
  if (Array.isArray(value)) return value.every((each) => isPlain(each));
  if (typeof value === "object" && value !== null) return Object.values(value).every((each) => isPlain(each));
  return typeof value === "boolean" || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);
}
