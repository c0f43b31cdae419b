import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { discoverPlugins } from "../../src/plugin/external/discover-plugins.ts";
import { externalPlugin } from "../../src/plugin/external/external-plugin.ts";
import type { PluginRegistry } from "../../src/plugin/registry.ts";
import { runCommand, STANDARD_REGISTRY } from "../support/run-command.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";

const FOLDER = fileURLToPath(new URL("../golden/projects", import.meta.url));
const PLUGINS = fileURLToPath(new URL("../golden/plugins", import.meta.url));
const TIMEOUT_MS = 60_000;

/** A project that a script of commands makes, and that is committed beside the script. */
export interface GoldenProject {
  readonly name: string;
  readonly commands: readonly string[];
  /** Where the committed project lies. */
  readonly folder: string;
  /** What a user adds, by paths in the project. */
  readonly added: Readonly<Record<string, string>>;
}

/** Lists the golden projects. */
export function goldenProjects(): readonly GoldenProject[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((name) => ({
      name,
      commands: readFileSync(path.join(FOLDER, name, "commands.txt"), "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#")),
      folder: path.join(FOLDER, name, "project"),
      added: existsSync(path.join(FOLDER, name, "files")) ? readFiles(path.join(FOLDER, name, "files")) : {},
    }));
}

/** The plugins of the program, and those that are their own programs below `test/golden/plugins`. */
export function goldenRegistry(cwd: string): PluginRegistry {
  const { plugins, problems } = discoverPlugins([PLUGINS]);
  const external = plugins.map((found) => externalPlugin(found, { cwd, timeoutMs: TIMEOUT_MS }));
  return { ...STANDARD_REGISTRY, plugins: [...STANDARD_REGISTRY.plugins, ...external], problems };
}

/** Makes a golden project in a folder. */
export async function makeProject({ commands, added }: GoldenProject, root: string): Promise<void> {
  writeFiles(root, added);
  for (const line of commands) {
    const { status, stderr } = await runCommand(root, line, goldenRegistry(root));
    if (status !== 0) throw new Error(`scaffold ${line}: ${stderr}`);
  }
}

/** Returns the files of a project as they are committed: without what depends on where and when it was made. */
export function committedForm(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readFiles(root))
      .filter(([file]) => !/^(?:node_modules|dist|\.kubescaffold)\//u.test(file))
      .map(([file, text]) => [storedName(file), normal(text)]),
  );
}

/** Returns the files of the committed project by their names in the project. */
export function projectForm({ folder }: GoldenProject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readFiles(folder)).map(([file, text]) => [file.replace(/\.golden$/u, ""), text]),
  );
}

// Test runners take what is called so for tests of this repository.
function storedName(file: string): string {
  return file.endsWith(".test.ts") ? `${file}.golden` : file;
}

function normal(text: string): string {
  return text
    .replaceAll(/"file:[^"]*?(?:\/packages\/(?<name>\w+))?"/gu, '"file:<repository>/$<name>"')
    .replaceAll(/Copyright \d{4}/gu, "Copyright <year>");
}
