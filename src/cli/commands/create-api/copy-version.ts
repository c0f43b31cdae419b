import { copiedFiles } from "../../../changes/copied-files.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import { InvalidNameError, ResourceNotFoundError } from "../../../project/errors.ts";
import { type ProjectConfig, type ProjectResource, versionsWithTypes } from "../../../project/project-config.ts";
import { typesFile } from "../../../project/resource-names.ts";

/** The copy of a version's fields: of the one that `--from` names, or of the newest. */
export interface VersionCopy {
  readonly source: ProjectResource;
  /** The version that converts to and from the others, if there is one; the new version becomes another spoke. */
  readonly hub: ProjectResource | undefined;
  /** Replaces the types and the sample of the new version, as far as they belong to both. Fails: {@link ResourceNotFoundError}. */
  readonly write: (tree: FileTree, project: ProjectConfig, resource: ProjectResource) => void;
}

/** The version to copy, and what the copy is for. */
interface CopyRequest {
  readonly from: string;
  /** The new version. */
  readonly request: { readonly group: string; readonly version: string; readonly kind: string };
  /** Whether the types are written; undefined where nothing says so. */
  readonly resource: boolean | undefined;
  /** Whether a plugin writes the types for an image. */
  readonly hasImage: boolean;
}

/** Plans the copy of a version. Fails: {@link InvalidNameError}, {@link ResourceNotFoundError}. */
export function planCopy(project: ProjectConfig, copy: CopyRequest): VersionCopy {
  refuseOtherTypes(copy);
  const versions = versionsWithTypes(project, copy.request);
  const source = sourceOf(copy, versions);
  return {
    source,
    hub: versions.find(({ webhooks }) => webhooks?.conversion === true),
    write: (tree, planned, resource) => copyVersion(tree, planned, { source, resource }),
  };
}

function refuseOtherTypes({ resource, hasImage }: CopyRequest): void {
  if (resource === false) {
    throw new InvalidNameError("cannot use --from with --resource=false: it copies types", {
      hint: "omit --from or --resource=false",
    });
  }
  if (hasImage) {
    throw new InvalidNameError("cannot use --from with --image: the types are those of the image", {
      hint: "omit --from or --image",
    });
  }
}

function sourceOf(
  { from, request: { version, kind } }: CopyRequest,
  versions: readonly ProjectResource[],
): ProjectResource {
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
  const types = typesFile(project, source);
  if (!tree.exists(types)) {
    throw new ResourceNotFoundError(`cannot copy the fields of ${source.kind}: ${types} does not exist`, {
      hint: "omit --from, and copy the types by hand",
    });
  }
  for (const [file, text] of copies) tree.update(file, () => text);
}
