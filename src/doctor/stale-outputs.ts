import { isExplained } from "@kubescaffold/generators/diagnostics";

import type { PluginOutput } from "../changes/next-steps.ts";
import { FileTree } from "../machinery/file-tree.ts";
import { renderTemplate } from "../machinery/template.ts";
import { createReplayContext } from "../plugin/replay-context.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { Finding } from "./project-files.ts";

/** A project, and what its sources generate. */
export interface Made {
  readonly tree: FileTree;
  readonly project: ProjectConfig;
  readonly generated: readonly { readonly path: string; readonly content: string }[];
}

/** Returns which of what plugins have made of a project is not what they would make of it now. */
export async function diagnoseOutputs(outputs: readonly PluginOutput[], made: Made): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const output of outputs) findings.push(...(await diagnoseOutput(output, made)));
  return findings;
}

async function diagnoseOutput(output: PluginOutput, made: Made): Promise<readonly Finding[]> {
  const { folder, command } = output;
  try {
    const [first, ...others] = await staleFiles(output, made);
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` and ${String(others.length)} more`;
    return [
      {
        severity: "note",
        path: folder,
        message: `generated files are stale: ${first}${more} would change`,
        hint: `run ${command}, which preserves your changes`,
      },
    ];
  } catch (error) {
    if (!isExplained(error)) throw error;
    const hint = `${error.hint ?? "fix the error"}; then run ${command}`;
    return [{ severity: "note", path: folder, message: `it cannot be regenerated: ${error.message}`, hint }];
  }
}

// Beside its folder a plugin may have added to files of the user, who may have taken that out.
async function staleFiles({ plugin, key, folder }: PluginOutput, made: Made): Promise<readonly string[]> {
  const { project } = made;
  const tree = withGenerated(made);
  await plugin.edit?.(createReplayContext(plugin, { tree, project, chain: [key], render: renderTemplate }), {
    previous: project,
  });
  return tree
    .actions()
    .map((action) => action.path)
    .filter((path) => path.startsWith(`${folder}/`));
}

function withGenerated({ tree, generated }: Made): FileTree {
  const contents = new Map(generated.map(({ path, content }) => [path, content]));
  const added = (paths: readonly string[]): readonly string[] =>
    [...new Set([...paths, ...contents.keys()])].toSorted();
  return new FileTree({
    read: (path) => contents.get(path) ?? tree.read(path),
    list: () => added(tree.files()),
    listBelow: (folder) => added(tree.filesBelow(folder)).filter((path) => path.startsWith(`${folder}/`)),
  });
}
