import { fileURLToPath } from "node:url";

import { autoupdate } from "../../plugins/autoupdate/index.ts";
import { deployImage } from "../../plugins/deploy-image/index.ts";
import { grafana } from "../../plugins/grafana/index.ts";
import { helm } from "../../plugins/helm/index.ts";
import { kustomize } from "../../plugins/kustomize/index.ts";
import type { Terminal } from "../../src/cli/command/terminal.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import type { PluginRegistry } from "../../src/plugin/registry.ts";
import { base } from "../../src/scaffolds/base-plugin.ts";
import { keepStart, recallStart, usualStart } from "./usual-start.ts";

export { CREATE_API, CREATE_WEBHOOK, INIT } from "./usual-start.ts";

/** What a command printed, and how it ended. */
export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The plugins of the program, as `bin/scaffold.ts` puts them together. */
export const STANDARD_REGISTRY: PluginRegistry = {
  plugins: [kustomize, base, grafana, autoupdate, helm],
  bundles: [
    { key: "ts.kubescaffold.dev/v1", description: "The default", plugins: [kustomize, base] },
    { key: deployImage.key, description: deployImage.description, plugins: [kustomize, base, deployImage] },
  ],
  defaultKey: "ts.kubescaffold.dev/v1",
};

const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a command line, written as one text with spaces between its words, in a folder. */
export async function runCommand(cwd: string, line: string, registry = STANDARD_REGISTRY): Promise<CommandResult> {
  let stdout = "";
  let stderr = "";
  const terminal: Terminal = {
    isInteractive: false,
    writeOut: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  };
  const program = { name: "scaffold", version: "0.1.0", packageRoot: PACKAGE_ROOT, registry: async () => registry };
  const status = await runCli({ args: line === "" ? [] : line.split(" "), cwd, terminal, program });
  return { status, stdout, stderr };
}

/**
 * Runs command lines one after the other and fails with what the first that fails printed.
 *
 * What most tests start with is made once: a project that begins as one before is a copy of that one, byte by byte.
 */
export async function runCommands(cwd: string, ...lines: readonly string[]): Promise<void> {
  const start = usualStart(cwd, lines);
  const recalled = recallStart(cwd, start);
  for (const [index, line] of lines.entries()) {
    if (index < recalled) continue;
    const { status, stderr } = await runCommand(cwd, line);
    if (status !== 0) throw new Error(`scaffold ${line}: ${stderr}`);
    if (index < start.length) keepStart(cwd, lines.slice(0, index + 1));
  }
}
