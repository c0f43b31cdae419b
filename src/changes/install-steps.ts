import type { FileAction, FileTree } from "../machinery/file-tree.ts";
import type { ProjectResource } from "../project/project-config.ts";

const MANIFEST = "package.json";

/** Returns what brings the packages that a project lacks after a command: those that package.json has since, or that of an external kind's types. */
export function installSteps(
  tree: Pick<FileTree, "read">,
  actions: readonly FileAction[],
  resource: ProjectResource,
): readonly string[] {
  if (actions.some((action) => action.path === MANIFEST)) return ["npm install"];
  const name = resource.external === true ? packageOf(resource.path ?? "") : undefined;
  if (name === undefined || dependenciesIn(tree.read(MANIFEST) ?? "").includes(name)) return [];
  return [`npm install ${name}    # has the types of ${resource.kind}`];
}

function packageOf(specifier: string): string | undefined {
  return /^(?:@[^/]+\/)?[^@./][^/]*/u.exec(specifier)?.[0];
}

function dependenciesIn(manifest: string): readonly string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(manifest) as Readonly<Record<string, object | undefined>>;
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch {
    // The project may be made by plugins that write none, or have one that npm cannot read either.
    return [];
  }
}
