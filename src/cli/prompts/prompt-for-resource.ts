import { createDiskReader } from "../../machinery/disk.ts";
import { FileTree } from "../../machinery/file-tree.ts";
import type { ProjectConfig, ProjectResource } from "../../project/project-config.ts";
import type { Asker } from "../command/asker.ts";
import type { NameFlags } from "../flags/kind-flags.ts";
import { loadProject } from "../session/project-session.ts";

/** Reads the project of a folder, without its lock: what is asked depends on it. */
export function projectIn(cwd: string): ProjectConfig {
  return loadProject({ root: cwd, tree: new FileTree(createDiskReader(cwd)) }).project;
}

/** Reports whether flags name a resource as far as they have to. */
export function namesResource({ version, kind }: NameFlags): boolean {
  return version !== undefined && kind !== undefined;
}

/** Returns the resources that flags leave open. */
export function matching(
  resources: readonly ProjectResource[],
  { group, version, kind }: NameFlags,
): readonly ProjectResource[] {
  return resources.filter(
    (each) =>
      (group === undefined || (each.group ?? "") === group) &&
      (version === undefined || each.version === version) &&
      (kind === undefined || each.kind === kind),
  );
}

/** Asks which of several resources is meant. */
export function askWhich(ask: Asker, message: string, resources: readonly ProjectResource[]): Promise<ProjectResource> {
  return ask.one(
    message,
    resources.map((each) => ({ value: each, label: resourceLabel(each), hint: partsText(each) })),
  );
}

/** Returns the flags that name a resource, without those that were given. */
export function resourceFlags({ group = "", version, kind }: ProjectResource, given: NameFlags): NameFlags {
  return {
    ...(given.group === undefined ? { group } : {}),
    ...(given.version === undefined ? { version } : {}),
    ...(given.kind === undefined ? { kind } : {}),
  };
}

/** Returns how a resource is called in questions. */
export function resourceLabel({ group = "", version, kind }: ProjectResource): string {
  return `${group === "" ? "" : `${group}/`}${version} ${kind}`;
}

function partsText({ api, controller, controllers = [], webhooks }: ProjectResource): string {
  const several = controller === true ? 1 : controllers.length;
  return [
    ...(api === undefined ? [] : ["types"]),
    ...(several === 0 ? [] : [several === 1 ? "a controller" : `${several} controllers`]),
    ...(webhooks === undefined ? [] : ["webhooks"]),
  ].join(", ");
}
