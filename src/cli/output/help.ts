import type { Flag } from "../../plugin/flag.ts";
import type { Plugin, PluginBundle } from "../../plugin/plugin.ts";
import type { Command } from "../command/command.ts";

/** What help is printed from. */
export interface HelpFacts {
  readonly program: string;
  readonly commands: readonly Command[];
  readonly globalFlags: readonly Flag[];
  /** The plugins for the table at the end; none for no table. */
  readonly plugins: readonly (Plugin | PluginBundle)[];
}

const HELP_FLAG: Flag = { name: "help", kind: "boolean", help: "" };

/** Returns the help of a command or a group of commands, with a line break at its end. */
export function renderHelp(command: Command, facts: HelpFacts): string {
  const children = facts.commands.filter((each) => isChild(command, each) && each.isHidden !== true);
  const name = [facts.program, ...command.path].join(" ");
  const isRoot = command.path.length === 0;
  const sections = [
    command.description ?? `${command.summary}.`,
    section("Usage:", usageLines(command, name, children.length > 0)),
    section("Examples:", command.examples?.map((line) => `  ${line}`) ?? []),
    section("Available Commands:", commandLines(children)),
    section("Flags:", flagLines(command, [...command.flags, helpFlag(name), ...(isRoot ? facts.globalFlags : [])])),
    // What takes its own words does not read them.
    section("Global Flags:", isRoot || command.takesWords === true ? [] : flagLines(command, facts.globalFlags)),
    section("Available Plugins:", pluginLines(isRoot ? facts.plugins : [])),
    children.length === 0 ? "" : `Use "${name} [command] --help" for more information about a command.`,
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function isChild(parent: Command, child: Command): boolean {
  return child.path.length === parent.path.length + 1 && parent.path.every((word, index) => child.path[index] === word);
}

function usageLines(command: Command, name: string, hasChildren: boolean): readonly string[] {
  if (command.usage !== undefined) return [`  ${name} ${command.usage}`];
  return hasChildren ? [`  ${name} [command]`] : [`  ${name} [flags]`];
}

function helpFlag(name: string): Flag {
  return { ...HELP_FLAG, help: `help for ${name.split(" ").at(-1) ?? name}` };
}

function commandLines(commands: readonly Command[]): readonly string[] {
  return table(commands.map((command) => [command.path.at(-1) ?? "", command.summary]));
}

function flagLines(command: Command, flags: readonly Flag[]): readonly string[] {
  const sorted = flags.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return table(sorted.map((flag) => [flagName(command, flag), flagHelp(flag)]));
}

function flagName(command: Command, flag: Flag): string {
  const short = flag.name === "help" && command.takesWords !== true ? "-h, " : "    ";
  const type = { boolean: "", string: " string", list: " strings", integer: " int", number: " float" }[flag.kind];
  return `${short}--${flag.name}${flag.impliedValue === undefined ? type : `[=${type.trim()}]`}`;
}

function flagHelp(flag: Flag): string {
  const choices = flag.values === undefined ? "" : ` (${flag.values.join(", ")})`;
  if (flag.isRequired === true) return `${flag.help}${choices} (required)`;
  const isShown = flag.default !== undefined && flag.default !== "" && flag.default !== "false";
  return `${flag.help}${choices}${isShown ? ` (default ${flag.kind === "string" ? JSON.stringify(flag.default) : flag.default})` : ""}`;
}

function pluginLines(plugins: readonly (Plugin | PluginBundle)[]): readonly string[] {
  if (plugins.length === 0) return [];
  return table([["KEY", "DESCRIPTION"], ...plugins.map((plugin) => [plugin.key, plugin.description] as const)]);
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`.trimEnd());
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines].join("\n");
}
