import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

import { isMarkedUnserved, markedVersion } from "../../../changes/storage-version.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import type { ProjectConfig, ProjectResource } from "../../../project/project-config.ts";
import { crdNameOf, typesFile, versionsOfKind } from "../../../project/resource-names.ts";
import { gvkFlags } from "../../../project/shell-word.ts";
import { STORAGE_VERSION } from "../../../project/storage-version.ts";
import { connect } from "../../cluster/connect.ts";
import { DEFAULT_RATE, migrateCrd } from "../../cluster/migrate-crd.ts";
import { readDefinitions } from "../../cluster/read-definitions.ts";
import { InputError, VersionInUseError } from "../../command/errors.ts";
import { clusterWords, type SelectedCluster } from "../../flags/cluster-flags.ts";

/** The step of a version's removal that is due: a version that API servers store or serve is not removed at once. */
export type DueStep = "stop serving" | "migrate" | "remove";

/** A version of a kind that is to be removed. */
export interface VersionRemoval {
  readonly tree: FileTree;
  readonly project: ProjectConfig;
  readonly resource: ProjectResource;
  /** The cluster whose CRD tells what is stored; without one, the files of the project tell what is served. */
  readonly cluster: SelectedCluster | undefined;
  /** Whether the user states that no cluster stores objects in the version. */
  readonly isNotStored: boolean;
}

/**
 * Returns the step that is due for a version of a kind with several; `remove` for the only one, whose CRD goes with its objects.
 *
 * Fails: {@link VersionInUseError} for the storage version, for a version that the cluster still serves or stores by its CRD though the project does not, and
 * without a cluster for one that is not served and may be stored. {@link InputError} for a cluster without the CRD.
 */
export async function dueStep(removal: VersionRemoval): Promise<DueStep> {
  const { tree, project, resource, cluster, isNotStored } = removal;
  const others = versionsOfKind(project, resource).filter((each) => each !== resource);
  if (resource.api === undefined || others.length === 0) return "remove";
  if (markedVersion(tree, project, resource) === resource) throw isStorageVersion(removal, others);
  if (cluster !== undefined) return await stepOfCluster(removal, cluster);
  if (isNotStored) return "remove";
  if (!isMarkedUnserved(tree, project, resource)) return "stop serving";
  throw mayBeStored(removal);
}

/** Returns the command that does the next step, or removes the version. */
export function removalCommand({ resource, cluster }: Pick<VersionRemoval, "cluster" | "resource">): string {
  return `npx scaffold delete api ${gvkFlags(resource)}${clusterWords(cluster ?? {})}`;
}

/** Returns the command that migrates the objects of a kind. */
export function migrationCommand({
  cluster,
  project,
  resource,
}: Pick<VersionRemoval, "cluster" | "project" | "resource">): string {
  return `npx scaffold migrate-storage ${crdNameOf(project, resource)}${clusterWords(cluster ?? {})}`;
}

async function stepOfCluster(removal: VersionRemoval, cluster: SelectedCluster): Promise<DueStep> {
  const { tree, project, resource, isNotStored } = removal;
  const crd = crdNameOf(project, resource);
  const [definition] = await readDefinitions(cluster, [crd]);
  if (definition === undefined) {
    if (isNotStored) return "remove";
    throw new InputError(`cannot find the CRD ${crd} in the cluster`, {
      hint: `select another cluster, or pass --not-stored if no cluster stores objects in ${resource.version}`,
    });
  }
  const { served, storage, stored } = stateIn(definition, resource.version);
  if (!isMarkedUnserved(tree, project, resource) && (served || stored)) return "stop serving";
  if (storage) throw notDeployed(removal, `it is the storage version of ${crd} in the cluster`);
  if (served) throw notDeployed(removal, "the cluster still serves it");
  if (stored || (await hasManagedFields(crd, cluster))) return "migrate";
  return "remove";
}

interface StateOfVersion {
  readonly served: boolean;
  readonly storage: boolean;
  readonly stored: boolean;
}

function stateIn({ spec, status }: CustomResourceDefinition, version: string): StateOfVersion {
  const found = spec.versions.find(({ name }) => name === version);
  return {
    served: found?.served === true,
    storage: found?.storage === true,
    stored: status?.storedVersions?.includes(version) === true,
  };
}

// An API server drops the managed fields of a version with it, and server-side apply then no longer removes these fields.
async function hasManagedFields(crd: string, cluster: SelectedCluster): Promise<boolean> {
  const { signal } = new AbortController();
  const client = await connect(cluster);
  const { counts } = await migrateCrd({ client, crd, rate: DEFAULT_RATE, isDryRun: true, signal });
  return counts.fieldsMoved > 0;
}

function isStorageVersion(
  { project, resource }: VersionRemoval,
  others: readonly ProjectResource[],
): VersionInUseError {
  const [other = resource, ...more] = others.toReversed();
  const places = [other, ...more].map((each) => typesFile(project, each));
  return new VersionInUseError(
    labelOf(resource),
    "it is the storage version",
    `move ${STORAGE_VERSION} from ${typesFile(project, resource)} to ${places.join(" or ")}, and run \`npm run manifests\``,
  );
}

function mayBeStored(removal: VersionRemoval): VersionInUseError {
  return new VersionInUseError(
    labelOf(removal.resource),
    "it is no longer served, but objects may be stored in it",
    `run \`${migrationCommand(removal)}\` in every cluster, and then \`${removalCommand(removal)} --not-stored\`, or with --context, which checks a cluster`,
  );
}

function notDeployed(removal: VersionRemoval, reason: string): VersionInUseError {
  return new VersionInUseError(
    labelOf(removal.resource),
    reason,
    "deploy the CRDs of this project, which no longer serve it, with `npx scaffold install` or `npx scaffold deploy`, and run the command again",
  );
}

function labelOf({ kind, version }: ProjectResource): string {
  return `${version} of ${kind}`;
}
