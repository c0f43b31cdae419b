import { markedVersion, markStorageVersion } from "../../../changes/storage-version.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import { controlledVersion, controllerNames } from "../../../project/plans/plan-controllers.ts";
import type { ProjectConfig, ProjectResource } from "../../../project/project-config.ts";
import { namesOf, typesFile, versionsOfKind } from "../../../project/resource-names.ts";
import { gvkFlags } from "../../../project/shell-word.ts";
import { withCopiedFrom } from "../../../project/version-records.ts";

/** A version that is added to a kind, or overwritten. */
export interface AnotherVersion {
  readonly resource: ProjectResource;
  /** The other versions with types, the last created first. */
  readonly others: readonly ProjectResource[];
  /** The version that `--from` names. */
  readonly source: ProjectResource | undefined;
}

/** What remains to be done once scaffolds have planned the version. */
export interface PlannedVersion {
  /** Returns the project with a record of the version that `--from` copied. */
  readonly record: (project: ProjectConfig) => ProjectConfig;
  /** Marks the storage version, and returns notes for the user. */
  readonly mark: (project: ProjectConfig) => Promise<readonly string[]>;
  /** Returns what completes the conversion: code to write, or the command that adds it. */
  readonly conversionSteps: (project: ProjectConfig) => readonly string[];
  /** Returns where the controller of the kind is, if another version has it. */
  readonly controllerSteps: (project: ProjectConfig) => readonly string[];
}

/** Plans what a kind with several versions needs beside the files of a new one. The tree is as it was before the command. */
export function planVersion(
  tree: FileTree,
  { program, previous }: { readonly program: string; readonly previous: ProjectConfig },
  version: AnotherVersion,
): PlannedVersion {
  const { resource, source } = version;
  const before = markedVersion(tree, previous, resource);
  return {
    record: (project) => withCopiedFrom(project, resource, source?.version),
    mark: (project) => markStorageVersion(tree, project, { resource, before }),
    conversionSteps: (project) => conversionSteps(program, project, version),
    controllerSteps: (project) => controllerSteps(project, version),
  };
}

function conversionSteps(
  program: string,
  project: ProjectConfig,
  { resource, others, source }: AnotherVersion,
): readonly string[] {
  const hub = others.find(({ webhooks }) => webhooks?.conversion === true);
  const hubNow = versionsOfKind(project, resource).find(({ webhooks }) => webhooks?.conversion === true);
  const isConverted = hubNow?.webhooks?.spoke?.includes(resource.version) === true;
  if (hub !== undefined && isConverted)
    return [`convert what differs between ${hub.version} and ${resource.version} in ${converterOf(project, resource)}`];
  const base = hub ?? controlledVersion(others) ?? source ?? others.at(-1);
  return base === undefined || resource.webhooks?.conversion === true
    ? []
    : [conversionCommand(program, { base, resource, isHub: hub !== undefined })];
}

interface Conversion {
  readonly base: ProjectResource;
  readonly resource: ProjectResource;
  readonly isHub: boolean;
}

// The controller works with the hub.
function conversionCommand(program: string, { base, resource, isHub }: Conversion): string {
  const { group = "", version, kind } = resource;
  const command = `${program} create webhook ${gvkFlags({ group, version: base.version, kind })} --conversion --spoke ${version}`;
  const swap = isHub ? "" : `; swap them to make ${version} the hub`;
  return `${command}    # converts between ${base.version}, the hub, and ${version}${swap}`;
}

function converterOf(project: ProjectConfig, resource: ProjectResource): string {
  return typesFile(project, resource).replace(/_types\.ts$/u, "_conversion.ts");
}

function controllerSteps(project: ProjectConfig, { resource, others }: AnotherVersion): readonly string[] {
  const controlled = controlledVersion(others);
  if (controlled === undefined || controllerNames(resource).length > 0) return [];
  const { controllerFolder, kind } = namesOf(project, controlled);
  // The controller works with the hub, which the user may move to the new version.
  return [
    `when ${resource.version} becomes the hub, import ${kind} from ${resource.version} in ${controllerFolder}; until then, its controller works with ${controlled.version}`,
  ];
}
