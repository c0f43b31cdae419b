import { nearestName } from "@kubescaffold/platform";

import { ResourceNotFoundError } from "../project/errors.ts";
import { findResource, type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";

/**
 * Checks that a resource of a built-in kind, which the project did not know before, is one that Kubernetes has: code for another would not compile.
 *
 * Fails: {@link ResourceNotFoundError} that names what comes nearest.
 */
export async function checkCoreKind(previous: ProjectConfig, resource: ProjectResource): Promise<void> {
  const { group = "", version, kind } = resource;
  if (findResource(previous, { group, version, kind }) !== undefined) return;
  const { builtInResources } = await import("@kubescaffold/k8s/tables");
  const ofGroup = builtInResources.filter((each) => each.group === qualifiedGroupOf(resource));
  if (ofGroup.some((each) => each.kind === kind && each.version === version)) return;
  throw new ResourceNotFoundError(
    `cannot use ${group}/${version}, Kind=${kind}: the kind does not exist in Kubernetes`,
    {
      hint: wayOut(resource, ofGroup),
    },
  );
}

interface Known {
  readonly version: string;
  readonly kind: string;
}

function wayOut({ group = "", version, kind }: ProjectResource, ofGroup: readonly Known[]): string {
  const versions = [...new Set(ofGroup.map((each) => each.version))];
  const kinds = ofGroup.filter((each) => each.version === version).map((each) => each.kind);
  const nearest = nearestName(kind, kinds);
  const elsewhere = ofGroup.find((each) => each.kind === kind)?.version;
  const external = "set the module of its types with --external-api-path";
  if (nearest !== undefined) return `did you mean --kind ${nearest}? If not, ${external}`;
  if (elsewhere !== undefined) return `pass --version ${elsewhere}, or ${external}`;
  if (versions.length === 0) return external;
  return `the group ${group} has the versions ${versions.join(", ")}; for an external kind, ${external}`;
}
