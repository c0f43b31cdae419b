import { readFileSync } from "node:fs";
import path from "node:path";

import { targetKindSync } from "../../machinery/disk.ts";
import { FlagClashError } from "../../plugin/errors.ts";
import type { Flag, PluginCommand } from "../../plugin/flag.ts";
import type { Plugin } from "../../plugin/plugin.ts";
import { shortKeyOf, resolvePlugins } from "../../plugin/registry.ts";
import { PROJECT_FILE } from "../../project/project-config.ts";
import { parseProject } from "../../project/project-file.ts";
import type { Command, ProgramFacts } from "../command/command.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

/** What is known before the flags are read. */
export interface FlagSurroundings {
  readonly rest: readonly string[];
  readonly program: ProgramFacts;
  readonly cwd: string;
}

/**
 * Returns the command with the flags of the plugins that take part in it; a flag that several declare is there once.
 *
 * Fails: `FlagClashError` when two of them give one name different types.
 */
export async function withPluginFlags(command: Command, surroundings: FlagSurroundings): Promise<Command> {
  const { pluginCommand } = command;
  if (pluginCommand === undefined) return command;
  const flags = [...command.flags];
  const words = foreignWords(command, surroundings.rest);
  for (const plugin of await pluginsTaking(pluginCommand, surroundings)) {
    for (const flag of (await plugin.flags?.(pluginCommand, words)) ?? []) addFlag(flags, flag, plugin.key);
  }
  return { ...command, flags };
}

/** Returns the command with what its plugins say of their part added to its help. */
export async function withPluginHelp(command: Command, surroundings: FlagSurroundings): Promise<Command> {
  const { pluginCommand } = command;
  if (pluginCommand === undefined) return command;
  const { description = `${command.summary}.`, examples = [] } = command;
  const texts = { description: [description], examples: [...examples] };
  for (const plugin of await pluginsTaking(pluginCommand, surroundings)) {
    const help = await plugin.help?.(pluginCommand);
    if (help === undefined) continue;
    if (help.description !== "") texts.description.push(`With ${plugin.key}:\n${help.description.trimEnd()}`);
    if (help.examples.trim() !== "") texts.examples.push(...unindented(help.examples));
  }
  return { ...command, description: texts.description.join("\n\n"), examples: texts.examples };
}

/** Returns the key, as short as people write it, of a plugin whose part in the command has a flag that was typed. */
export async function pluginWithFlag(
  { pluginCommand }: Command,
  typed: string,
  program: ProgramFacts,
): Promise<string | undefined> {
  if (pluginCommand === undefined) return undefined;
  const name = /^--(?:no-)?(?<name>[^=]+)/u.exec(typed)?.groups?.["name"];
  const { bundles, plugins } = await program.registry();
  for (const each of [...bundles, ...plugins]) {
    for (const plugin of "plugins" in each ? each.plugins : [each]) {
      if (!takesPart(plugin, pluginCommand)) continue;
      const flags = (await plugin.flags?.(pluginCommand, [])) ?? [];
      if (flags.some((flag) => flag.name === name)) return shortKeyOf(each.key);
    }
  }
  return undefined;
}

function unindented(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function addFlag(flags: Flag[], flag: Flag, key: string): void {
  const known = flags.find((each) => each.name === flag.name);
  if (known === undefined) flags.push(flag);
  else if (known.kind !== flag.kind) throw new FlagClashError(flag.name, { key, kind: flag.kind, other: known.kind });
}

// The words without the flags that the command has by itself.
function foreignWords(command: Command, rest: readonly string[]): readonly string[] {
  const own = new Map([...command.flags, ...GLOBAL_FLAGS].map((flag) => [flag.name, flag.kind]));
  const nameOf = (word: string | undefined): string =>
    /^--(?:no-)?(?<name>[^=]+)/u.exec(word ?? "")?.groups?.["name"] ?? "";
  return rest.filter((word, index) => {
    const before = rest[index - 1];
    const belongsToOwn =
      own.has(nameOf(before)) && own.get(nameOf(before)) !== "boolean" && before?.includes("=") === false;
    return !own.has(nameOf(word)) && !(belongsToOwn && !word.startsWith("--"));
  });
}

async function pluginsTaking(
  command: PluginCommand,
  { rest, program, cwd }: FlagSurroundings,
): Promise<readonly Plugin[]> {
  const registry = await program.registry();
  const asked = askedPlugins(rest);
  const keys = asked.length > 0 ? asked : layoutIn(cwd);
  const { plugins } = resolvePlugins(registry, keys.length > 0 ? keys : [registry.defaultKey]);
  return plugins.filter((plugin) => takesPart(plugin, command));
}

/** Reports whether a plugin has a part in a command. */
export function takesPart(plugin: Plugin, command: PluginCommand): boolean {
  const { init, edit, createApi, createWebhook } = plugin;
  return { init, edit, "create api": createApi, "create webhook": createWebhook }[command] !== undefined;
}

// Flags cannot be read before it is known which there are, but this one is needed to know it.
function askedPlugins(rest: readonly string[]): readonly string[] {
  return rest
    .flatMap((word, index) => {
      if (word.startsWith("--plugins=")) return word.slice("--plugins=".length).split(",");
      return word === "--plugins" ? (rest[index + 1] ?? "").split(",") : [];
    })
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

// A PROJECT that cannot be read is the business of the command itself; its help works without.
function layoutIn(cwd: string): readonly string[] {
  const file = path.join(cwd, PROJECT_FILE);
  try {
    // A pipe would be waited for.
    return targetKindSync(file) === "file" ? parseProject(readFileSync(file, "utf8")).layout : [];
  } catch {
    return [];
  }
}
