import type { FileTree } from "../../machinery/file-tree.ts";
import type { ProjectConfig } from "../../project/project-config.ts";
import type { Flag, FlagValues, PluginCommand } from "../flag.ts";
import type {
  CreateApiOptions,
  CreateWebhookOptions,
  EditOptions,
  InitOptions,
  Plugin,
  PluginHelp,
  Scaffold,
} from "../plugin.ts";
import { type ScaffoldContext, compiledTemplates } from "../scaffold-context.ts";
import { type CallOptions, callPlugin } from "./call-plugin.ts";
import type { FoundPlugin } from "./discover-plugins.ts";
import { PluginAnswerError, PluginFailedError, PluginReportedError } from "./errors.ts";
import { type AnswerFlag, COMMAND_WORDS, type PluginAnswer } from "./protocol.ts";

/**
 * Makes a plugin of a program that speaks upstream's protocol: it gets the files of the project and answers with those it changes.
 *
 * Guarantees: what it writes is part of the command's one commit; it writes no PROJECT and nothing outside of the project.
 */
export function externalPlugin(found: FoundPlugin, options: CallOptions): Plugin {
  const part = (command: PluginCommand): Scaffold<ReplayedOptions> => scaffoldPart({ found, options, command });
  return {
    key: found.key,
    description: "External plugin",
    needsWholeProject: true,
    templates: compiledTemplates({}),
    flags: (command, words) => flagsOf({ found, options, command }, words),
    help: (command) => helpOf({ found, options, command }),
    init: part("init"),
    edit: part("edit"),
    createApi: part("create api"),
    createWebhook: part("create webhook"),
  };
}

interface Part {
  readonly found: FoundPlugin;
  readonly options: CallOptions;
  readonly command: PluginCommand;
}

function scaffoldPart({ found, options, command }: Part): Scaffold<ReplayedOptions> {
  return async (context, asked) => {
    const universe = universeOf(context.tree);
    const { layout } = context.project;
    const isTyped = Object.keys(context.flags).length > 0;
    const request = {
      command,
      args: argumentsOf(isTyped ? context.flags : replayedFlags(command, context.project, asked)),
      universe,
      pluginChain: [found.key, ...layout.filter((key) => key !== found.key)],
      config: context.project,
    };
    planAnswer(context, found.key, universe, await callPlugin(found, request, options));
  };
}

function argumentsOf(flags: FlagValues): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (name === "plugins" || value === undefined) return [];
    if (typeof value === "boolean") return value ? [`--${name}`] : [`--${name}=false`];
    return [value].flat().flatMap((each) => [`--${name}`, each]);
  });
}

function planAnswer(
  { tree }: ScaffoldContext,
  key: string,
  universe: Readonly<Record<string, string>>,
  answer: PluginAnswer,
): void {
  for (const [name, content] of Object.entries(answer.universe ?? {})) {
    const path = name.replaceAll("\\", "/").replace(/^(?:\.\/)+/u, "");
    if (path === "PROJECT" || universe[path] === content) continue;
    if (isOutside(path)) throw new PluginAnswerError(key, `it writes ${name}, which is not a file of the project`);
    if (universe[path] === undefined)
      tree.create(path, content, { ifExists: "overwrite", isExecutable: content.startsWith("#!") });
    else tree.update(path, () => content);
  }
}

function isOutside(path: string): boolean {
  const segments = path.split("/");
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:/u.test(path);
  return isAbsolute || segments.some((each) => each === "" || each === "." || each === "..") || segments[0] === ".git";
}

const OWN_FLAGS = new Set(["group", "version", "kind", "plural", "help", "plugins"]);

// A plugin need not know the question: the flags that were typed are then taken as they look, as upstream does.
async function flagsOf({ found, options, command }: Part, words: readonly string[]): Promise<readonly Flag[]> {
  const answer = await askQuietly({ found, options, command }, "flags");
  if (answer === undefined) return guessFlags(words);
  return (answer.flags ?? []).filter(({ name }) => !OWN_FLAGS.has(name)).map((flag) => declaredFlag(flag));
}

async function helpOf(part: Part): Promise<PluginHelp> {
  const metadata = (await askQuietly(part, "metadata"))?.metadata;
  return { description: metadata?.description ?? "", examples: metadata?.examples ?? "" };
}

async function askQuietly(
  { found, options, command }: Part,
  question: "flags" | "metadata",
): Promise<PluginAnswer | undefined> {
  try {
    return await callPlugin(found, { command: question, args: [COMMAND_WORDS[command]], universe: {} }, options);
  } catch (error) {
    const isRefusal =
      error instanceof PluginFailedError || error instanceof PluginReportedError || error instanceof PluginAnswerError;
    if (isRefusal) return undefined;
    throw error;
  }
}

function declaredFlag({ name, type, usage, default: value }: AnswerFlag): Flag {
  const kinds: Readonly<Record<string, Flag["kind"]>> = { bool: "boolean", int: "integer", float: "number" };
  const kind = kinds[type ?? ""] ?? "string";
  return { name, kind, help: usage ?? "", ...(value === undefined || value === "" ? {} : { default: value }) };
}

function guessFlags(words: readonly string[]): readonly Flag[] {
  return words.flatMap((word, index): readonly Flag[] => {
    const name = /^--(?<name>[^=]+)/u.exec(word)?.groups?.["name"];
    if (name === undefined || OWN_FLAGS.has(name)) return [];
    const next = words[index + 1];
    const takesValue = word.includes("=") || (next !== undefined && !next.startsWith("-"));
    return [{ name, kind: takesValue ? "string" : "boolean", help: "" }];
  });
}

/** What any of the commands asks of a part. */
type ReplayedOptions = Partial<InitOptions & EditOptions & CreateApiOptions & CreateWebhookOptions>;

/** Returns the flags by which a person would have asked for a part that is run again from PROJECT. */
export function replayedFlags(command: PluginCommand, project: ProjectConfig, asked: ReplayedOptions): FlagValues {
  if (command === "create api") return { ...resourceFlags(asked), ...apiFlags(asked) };
  if (command === "create webhook") return { ...resourceFlags(asked), ...webhookFlags(asked) };
  const settings = { multigroup: whenTrue(project.multigroup), namespaced: whenTrue(project.namespaced) };
  if (command === "edit") return settings;
  return { domain: project.domain, "project-name": project.projectName, repo: project.repo, ...settings };
}

function resourceFlags({ resource }: ReplayedOptions): FlagValues {
  if (resource === undefined) return {};
  const { group, version, kind, plural } = resource;
  return { group: group === "" ? undefined : group, version, kind, plural };
}

function apiFlags({ resource, writesResource, writesController, controllerName }: ReplayedOptions): FlagValues {
  return {
    resource: writesResource,
    controller: writesController,
    "controller-name": controllerName,
    namespaced: resource?.api === undefined ? undefined : resource.api.namespaced === true,
  };
}

function webhookFlags({ resource, defaulting, validation, conversion }: ReplayedOptions): FlagValues {
  return {
    defaulting: whenTrue(defaulting),
    "programmatic-validation": whenTrue(validation),
    conversion: whenTrue(conversion),
    spoke: conversion === true ? resource?.webhooks?.spoke : undefined,
  };
}

function whenTrue(value: boolean | undefined): true | undefined {
  return value === true ? true : undefined;
}

// Larger than any source or manifest; what is larger is data that no plugin edits.
const MAX_CHARACTERS = 2 ** 20;

/** Returns the texts of the project's files with the planned changes, by path: no binary files, and nothing of git's or of what is installed. */
function universeOf(tree: FileTree): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tree.files().flatMap((path) => {
      const content = tree.read(path);
      return content === undefined || isData(content) ? [] : [[path, content]];
    }),
  );
}

// What is not UTF-8 reads with this character in place of what it is.
function isData(content: string): boolean {
  return content.length > MAX_CHARACTERS || content.includes("\u0000") || content.includes("\uFFFD");
}
