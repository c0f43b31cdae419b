import type { Flag } from "../../plugin/flag.ts";
import type { Plugin } from "../../plugin/plugin.ts";
import type { Command } from "../command/command.ts";
import { takesPart } from "../flags/plugin-flags.ts";

/** What the reference of the command line is written from. */
export interface ReferenceFacts {
  readonly program: string;
  readonly root: Command;
  readonly commands: readonly Command[];
  readonly globalFlags: readonly Flag[];
  readonly plugins: readonly Plugin[];
}

/** Writes the reference of the command line in Markdown: every command with its usage, examples and flags, those of plugins too. */
export async function renderCliReference(facts: ReferenceFacts): Promise<string> {
  const shown = facts.commands.filter((command) => command.isHidden !== true);
  const sections = await Promise.all(shown.map((command) => renderCommand(command, facts)));
  return `${[introduction(facts), commandTable(shown, facts), globalSection(facts), ...sections].join("\n\n")}\n`;
}

function introduction({ program, root }: ReferenceFacts): string {
  return [
    "# Command line",
    root.description ?? root.summary,
    block([root.usage ?? `${program} [command]`]),
    [
      "The exit status is 0 on success, 1 if the command failed, and 2 for an unknown command or flag. Errors have codes, which [errors.md](errors.md) explains.",
      "`--flag value` and `--flag=value` are equivalent; `--no-flag` and `--flag=false` disable a boolean flag; a list flag is repeated or takes",
      "comma-separated values. Commands prompt only if the terminal is interactive.",
    ].join("\n"),
    "This page is generated from the commands; `--help` prints the same.",
  ].join("\n\n");
}

function commandTable(commands: readonly Command[], facts: ReferenceFacts): string {
  const rows = commands.map(
    (command) => `| [\`${nameOf(command, facts)}\`](#${anchorOf(command, facts)}) | ${cell(command.summary)} |`,
  );
  return ["| Command | |", "|---|---|", ...rows].join("\n");
}

function globalSection({ globalFlags }: ReferenceFacts): string {
  return `## Global flags\n\n${flagTable(globalFlags)}`;
}

async function renderCommand(command: Command, facts: ReferenceFacts): Promise<string> {
  const name = nameOf(command, facts);
  const isGroup = command.run === undefined;
  const added = await pluginSections(command, facts);
  const parts = [
    `## \`${name}\``,
    description(command),
    block([isGroup ? `${name} [command]` : `${name} ${command.usage ?? "[flags]"}`]),
    command.examples === undefined ? "" : block(command.examples),
    command.flags.length === 0 ? "" : flagTable(command.flags),
    ...added,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function description({ summary, description: text = `${summary}.` }: Command): string {
  return escapeAngles(text);
}

async function pluginSections({ pluginCommand }: Command, { plugins }: ReferenceFacts): Promise<readonly string[]> {
  if (pluginCommand === undefined) return [];
  const sections = await Promise.all(
    plugins
      .filter((plugin) => takesPart(plugin, pluginCommand))
      .map(async (plugin) => {
        const flags = (await plugin.flags?.(pluginCommand, [])) ?? [];
        const help = await plugin.help?.(pluginCommand);
        if (flags.length === 0 && help === undefined) return "";
        const examples =
          help?.examples
            .split("\n")
            .map((line) => line.trim())
            .filter((line) => line !== "") ?? [];
        return [
          `With the plugin \`${plugin.key}\`:`,
          escapeAngles(help?.description.trim() ?? ""),
          examples.length === 0 ? "" : block(examples),
          flags.length === 0 ? "" : flagTable(flags),
        ]
          .filter((part) => part !== "")
          .join("\n\n");
      }),
  );
  return sections.filter((section) => section !== "");
}

function flagTable(flags: readonly Flag[]): string {
  const sorted = flags.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const rows = sorted.map(
    (flag) => `| \`--${flag.name}\` | ${valueOf(flag)} | ${defaultOf(flag)} | ${cell(flag.help)} |`,
  );
  return ["| Flag | Value | Default | |", "|---|---|---|---|", ...rows].join("\n");
}

function valueOf({ kind, values, impliedValue }: Flag): string {
  if (impliedValue !== undefined) return `${kind}, optional (\`${impliedValue}\`)`;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  return kind;
}

function defaultOf(flag: Flag): string {
  if (flag.isRequired === true) return "required";
  return flag.default === undefined || flag.default === "" ? "" : `\`${flag.default}\``;
}

function nameOf(command: Command, { program }: ReferenceFacts): string {
  return [program, ...command.path].join(" ");
}

function anchorOf(command: Command, facts: ReferenceFacts): string {
  return nameOf(command, facts).replaceAll(" ", "-");
}

function block(lines: readonly string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}

function cell(text: string): string {
  return escapeAngles(text).replaceAll("|", "\\|");
}

// Markdown takes a word in angle brackets for HTML.
function escapeAngles(text: string): string {
  return text.replaceAll("<", "&lt;");
}
