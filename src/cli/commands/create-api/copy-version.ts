import { copiedFiles } from "../../../changes/copied-files.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import type { FlagValues } from "../../../plugin/flag.ts";
import { InvalidNameError, ResourceNotFoundError } from "../../../project/errors.ts";
import { controllerNames } from "../../../project/plans/plan-controllers.ts";
import type { ProjectConfig, ProjectResource } from "../../../project/project-config.ts";
import { namesOf } from "../../../project/resource-names.ts";
import { STORAGE_VERSION } from "../../../project/storage-version.ts";
import type { Invocation } from "../../command.ts";
import { kindFlags, textFlag } from "../../flags/flag-values.ts";

/** The versions of a kind with types in the project, the last created first. */
export function versionsWithTypes(project: ProjectConfig, flags: FlagValues): readonly ProjectResource[] {
  const { group, kind } = kindFlags(flags);
  return (project.resources ?? [])
    .filter((each) => each.api !== undefined && (each.group ?? "") === group && each.kind === kind)
    .toReversed();
}

/** The copy of a version's fields, as `--from` says. */
export interface VersionCopy {
  readonly source: ProjectResource;
  /** Whether a version of the kind has a controller, so that the new one needs none. */
  readonly hasController: boolean;
  /** The version that converts to and from the others, if there is one; the new version becomes another spoke. */
  readonly hub: ProjectResource | undefined;
  /**
   * Replaces the types and the sample of the new version, as far as they belong to both, and marks the source as the storage version if no
   * version is marked. Returns notes for the user. Fails: {@link ResourceNotFoundError}.
   */
  readonly write: (tree: FileTree, project: ProjectConfig, resource: ProjectResource) => Promise<readonly string[]>;
  /** Returns what completes the conversion: code to write, or the command that adds it. */
  readonly conversionSteps: (project: ProjectConfig, resource: ProjectResource) => readonly string[];
  /** Returns the place of the controller, if the kind has one. */
  readonly controllerSteps: (resource: ProjectResource) => readonly string[];
}

/** Plans the copy of the version that `--from` names. Fails: {@link InvalidNameError}, {@link ResourceNotFoundError}. */
export function planCopy({ program, flags }: Invocation, project: ProjectConfig): VersionCopy {
  refuseOtherTypes(flags);
  const versions = versionsWithTypes(project, flags);
  const source = sourceOf(flags, versions);
  const controlled = versions.find((each) => controllerNames(each).length > 0);
  const hub = versions.find(({ webhooks }) => webhooks?.conversion === true);
  return {
    source,
    hasController: controlled !== undefined,
    hub,
    write: async (tree, planned, resource) => {
      copyVersion(tree, planned, { source, resource });
      return await markStorageVersion(tree, planned, { stored: hub ?? source, versions });
    },
    conversionSteps: (planned, resource) => {
      if (hub === undefined) return [conversionCommand(program.name, controlled ?? source, resource)];
      if (hub.version === resource.version) return [];
      return [
        `convert what differs between ${hub.version} and ${resource.version} in ${converterOf(planned, resource)}`,
      ];
    },
    controllerSteps: ({ version }) => (controlled === undefined ? [] : [controllerStep(project, controlled, version)]),
  };
}

// The controller works with the hub.
function conversionCommand(program: string, hub: ProjectResource, { group, version, kind }: ProjectResource): string {
  const named = `${group === undefined ? "" : ` --group ${group}`} --version ${hub.version} --kind ${kind}`;
  const command = `${program} create webhook${named} --conversion --spoke ${version}`;
  return `${command}    # converts between ${hub.version}, the hub, and ${version}; swap them to make ${version} the hub`;
}

function converterOf(project: ProjectConfig, resource: ProjectResource): string {
  const { apiFolder, kindLower } = namesOf(project, resource);
  return `${apiFolder}/${kindLower}_conversion.ts`;
}

// The controller works with the hub, which the user may move to the new version.
function controllerStep(project: ProjectConfig, controlled: ProjectResource, version: string): string {
  const { controllerFolder, kind } = namesOf(project, controlled);
  return `when ${version} becomes the hub, import ${kind} from ${version} in ${controllerFolder}; until then, its controller works with ${controlled.version}`;
}

function refuseOtherTypes(flags: FlagValues): void {
  if (flags["resource"] === false) {
    throw new InvalidNameError("cannot use --from with --resource=false: it copies types", {
      hint: "omit --from or --resource=false",
    });
  }
  if (flags["image"] !== undefined) {
    throw new InvalidNameError("cannot use --from with --image: the types are those of the image", {
      hint: "omit --from or --image",
    });
  }
}

function sourceOf(flags: FlagValues, versions: readonly ProjectResource[]): ProjectResource {
  const from = textFlag(flags, "from") ?? "";
  const { version, kind } = kindFlags(flags);
  if (from === version) {
    throw new InvalidNameError(`cannot copy version ${from} to itself`, {
      hint: "set --version to the new version, and --from to an existing one",
    });
  }
  const source = versions.find((each) => each.version === from);
  if (source !== undefined) return source;
  throw new ResourceNotFoundError(`cannot copy the fields of ${kind}: no types found for version ${from}`, {
    hint:
      versions.length === 0
        ? "the kind has no version with types; omit --from"
        : `use one of its versions: ${versions.map((each) => each.version).join(", ")}`,
  });
}

function copyVersion(
  tree: FileTree,
  project: ProjectConfig,
  { source, resource }: { readonly source: ProjectResource; readonly resource: ProjectResource },
): void {
  const copies = copiedFiles(tree, project, { source, resource });
  const types = typesOf(project, source);
  if (!tree.exists(types)) {
    throw new ResourceNotFoundError(`cannot copy the fields of ${source.kind}: ${types} does not exist`, {
      hint: "omit --from, and copy the types by hand",
    });
  }
  for (const [file, text] of copies) tree.update(file, () => text);
}

// A CRD of several versions needs one; until now, all objects are stored in the only version that there was.
async function markStorageVersion(
  tree: FileTree,
  project: ProjectConfig,
  { stored, versions }: { readonly stored: ProjectResource; readonly versions: readonly ProjectResource[] },
): Promise<readonly string[]> {
  if (versions.some((each) => tree.read(typesOf(project, each))?.includes(STORAGE_VERSION) === true)) return [];
  const { addTypeMarker } = await import("../../../machinery/type-markers.ts");
  const types = typesOf(project, stored);
  const marked = addTypeMarker(tree.readExisting(types), { type: stored.kind, marker: STORAGE_VERSION });
  if (marked === undefined) return [`Add "${STORAGE_VERSION}" to the comment of ${stored.kind} in ${types}.`];
  tree.update(types, () => marked);
  return [`${stored.version} stays the storage version: "${STORAGE_VERSION}" was added to ${types}.`];
}

function typesOf(project: ProjectConfig, resource: ProjectResource): string {
  const { apiFolder, kindLower } = namesOf(project, resource);
  return `${apiFolder}/${kindLower}_types.ts`;
}
