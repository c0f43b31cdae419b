import type { FileTree } from "../machinery/file-tree.ts";
import { KUBECTL_COMMANDS, kubectlPluginsOf, namesOfPlugin } from "../project/kubectl-plugins.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { Finding } from "./project-files.ts";

const FOLDER = /^cmd\/kubectl-(?<name>[^/]+)\/main\.ts$/u;

/**
 * Compares the kubectl plugins that PROJECT records with the scripts and the folders of a project, and with the commands of kubectl. Missing files are found
 * with those of other parts.
 */
export function diagnoseKubectlPlugins(tree: FileTree, project: ProjectConfig): readonly Finding[] {
  const names = kubectlPluginsOf(project).map(({ name }) => name);
  const folders = tree.filesBelow("cmd").flatMap((file) => FOLDER.exec(file)?.groups?.["name"] ?? []);
  return [
    ...names.flatMap((name) => missingScript(tree, name)),
    ...names.filter((name) => KUBECTL_COMMANDS.has(name)).map((name) => hiddenPlugin(name)),
    ...folders.filter((name) => !names.includes(name)).map((name) => unrecordedPlugin(name)),
  ];
}

function missingScript(tree: FileTree, name: string): readonly Finding[] {
  const { script, build } = namesOfPlugin(name);
  if (tree.read("package.json")?.includes(JSON.stringify(script)) !== false) return [];
  return [
    {
      severity: "error",
      path: "package.json",
      message: `the script ${script} is missing, which builds the kubectl plugin "${name}"`,
      hint: `add it to the scripts: ${JSON.stringify(script)}: ${JSON.stringify(build)}`,
    },
  ];
}

function hiddenPlugin(name: string): Finding {
  return {
    severity: "error",
    path: "PROJECT",
    message: `kubectl runs its own command "${name}" instead of the plugin with this name`,
    hint: `create a plugin with another name, move the commands, and run \`npx scaffold delete kubectl-plugin ${name}\``,
  };
}

function unrecordedPlugin(name: string): Finding {
  return {
    severity: "note",
    path: `${namesOfPlugin(name).folder}/main.ts`,
    message: `there is a kubectl plugin "${name}", but PROJECT does not record it`,
    hint: "ignore this if you wrote it by hand; otherwise restore the entry from version control",
  };
}
