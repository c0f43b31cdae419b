import { createDiskReader } from "../../machinery/disk.ts";
import { FileTree } from "../../machinery/file-tree.ts";
import type { FlagValues } from "../../plugin/flag.ts";
import type { ProjectConfig, ProjectResource } from "../../project/project-config.ts";
import type { Asker } from "../command/asker.ts";
import { textFlag } from "../flags/flag-values.ts";
import { loadProject } from "../session/project-session.ts";

/** Reads the project of a folder, without its lock: what is asked depends on it. */
export function projectIn(cwd: string): ProjectConfig {
  return loadProject({ root: cwd, tree: new FileTree(createDiskReader(cwd)) }).project;
}

/** Reports whether flags name a resource as far as they have to. */
export function namesResource(flags: FlagValues): boolean {
  return flags["version"] !== undefined && flags["kind"] !== undefined;
}

/** Returns the resources that flags leave open. */
export function matching(resources: readonly ProjectResource[], flags: FlagValues): readonly ProjectResource[] {
  const group = textFlag(flags, "group", { mayBeEmpty: true });
  const version = textFlag(flags, "version");
  const kind = textFlag(flags, "kind");
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
export function resourceFlags({ group = "", version, kind }: ProjectResource, given: FlagValues): FlagValues {
  const all = { group, version, kind };
  return Object.fromEntries(Object.entries(all).filter(([name]) => given[name] === undefined));
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
