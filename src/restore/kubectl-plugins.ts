import path from "node:path";

import type { FileTree } from "../machinery/file-tree.ts";
import { isKubectlPluginName, namesOfPlugin, pluginRecord, withKubectlPlugins } from "../project/kubectl-plugins.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { typesFile } from "../project/resource-names.ts";

const MAIN = /^cmd\/kubectl-(?<name>[^/]+)\/main\.ts$/u;

/** Returns the project with the kubectl plugins whose programs it has; the imports of their sample commands name the kinds. */
export function withRestoredPlugins(tree: FileTree, project: ProjectConfig): ProjectConfig {
  const names = tree.filesBelow("cmd").flatMap((file) => MAIN.exec(file)?.groups?.["name"] ?? []);
  const records = names
    .filter((name) => isKubectlPluginName(name))
    .map((name) => {
      const { folder } = namesOfPlugin(name);
      const text = tree.read(`${folder}/list.ts`) ?? "";
      const resource = (project.resources ?? []).find((each) => imports(text, project, { resource: each, folder }));
      return pluginRecord(name, resource);
    });
  return withKubectlPlugins(project, records);
}

// Kinds with names that the sources use otherwise are imported under another one.
function imports(text: string, project: ProjectConfig, { resource, folder }: Imported): boolean {
  const { core, external, kind, path: module = "" } = resource;
  const isOutside = core === true || external === true;
  const specifier = isOutside && !module.startsWith("./") ? module : path.posix.relative(folder, module);
  const file = isOutside ? specifier : path.posix.relative(folder, typesFile(project, resource));
  return [kind, `${kind} as ${kind}Object`].some((name) => text.includes(`import { ${name} } from "${file}";`));
}

interface Imported {
  readonly resource: ProjectResource;
  readonly folder: string;
}
