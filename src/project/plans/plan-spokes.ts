import { InvalidNameError, ResourceConflictError } from "../errors.ts";
import { findResource, type ProjectConfig, type ProjectResource } from "../project-config.ts";

/** What is asked of the conversion between the versions of a kind. */
export interface SpokeRequest {
  readonly conversion: boolean;
  readonly spokes: readonly string[];
  readonly force: boolean;
}

/**
 * Returns the versions that are to be converted to and from a resource, its hub: those it has, and those that are asked for; nothing when no
 * conversion is asked for.
 *
 * Fails: {@link InvalidNameError} for spokes that are missing, named twice, the hub itself or no version of the kind, and for a kind without a
 * CRD of the project; {@link ResourceConflictError} for spokes that are there already and when another version is the hub.
 */
export function planSpokes(
  project: ProjectConfig,
  resource: ProjectResource,
  { conversion, spokes, force }: SpokeRequest,
): readonly string[] | undefined {
  if (!conversion) {
    if (spokes.length > 0) throw spokesAlone();
    return undefined;
  }
  if (resource.api === undefined) {
    throw new InvalidNameError(`cannot convert ${resource.kind}: its definition is not one of this project`, {
      hint: "leave out --conversion: whoever defines a kind converts it",
    });
  }
  refuseOtherHub(project, resource);
  checkSpokes(project, resource, spokes);
  const before = resource.webhooks?.spoke ?? [];
  const known = spokes.filter((version) => before.includes(version));
  if (known.length > 0 && !force) {
    throw new ResourceConflictError(
      `cannot create the webhook: ${resource.kind} has the spoke ${known.join(", ")} already`,
      {
        hint: "name the new versions only, or pass --force to write the files again",
      },
    );
  }
  return [...before, ...spokes.filter((version) => !before.includes(version))];
}

/** Says that spokes were named, and no conversion asked for. */
export function spokesAlone(): InvalidNameError {
  return new InvalidNameError("cannot use --spoke: it needs --conversion", {
    hint: "pass --conversion too, or leave out --spoke",
  });
}

function refuseOtherHub(project: ProjectConfig, resource: ProjectResource): void {
  const hub = versionsOf(project, resource).find(
    (each) => each.webhooks?.conversion === true && each.version !== resource.version,
  );
  if (hub === undefined) return;
  throw new ResourceConflictError(
    `cannot make ${resource.version} the hub of ${resource.kind}: ${hub.version} is it already`,
    {
      hint: `add spokes to that: --version ${hub.version} --conversion --spoke ${resource.version}`,
    },
  );
}

function checkSpokes(project: ProjectConfig, resource: ProjectResource, spokes: readonly string[]): void {
  const { group = "", version, kind } = resource;
  if (spokes.length === 0) {
    throw new InvalidNameError("cannot create a conversion webhook: --spoke is required", {
      hint: "name the versions that are converted to and from this one: --spoke v2",
    });
  }
  const twice = spokes.find((spoke, index) => spokes.indexOf(spoke) < index);
  if (twice !== undefined)
    throw new InvalidNameError(`invalid spoke "${twice}": it is named twice`, { hint: "name each version once" });
  if (spokes.includes(version)) {
    throw new InvalidNameError(`invalid spoke "${version}": a version cannot be a spoke of itself`, {
      hint: "the version of --version is the hub: name the others, or choose another hub",
    });
  }
  const unknown = spokes.find((spoke) => findResource(project, { group, version: spoke, kind })?.api === undefined);
  if (unknown === undefined) return;
  const others = versionsOf(project, resource).filter((each) => each.version !== version);
  throw new InvalidNameError(`invalid spoke "${unknown}": the project has no ${group}/${unknown}, Kind=${kind}`, {
    hint:
      others.length === 0
        ? `run \`npx scaffold create api --group ${group} --version ${unknown} --kind ${kind}\` first`
        : `its other versions: ${others.map((each) => each.version).join(", ")}`,
  });
}

function versionsOf(project: ProjectConfig, { group, domain, kind }: ProjectResource): readonly ProjectResource[] {
  return (project.resources ?? []).filter(
    (each) => each.api !== undefined && each.group === group && each.domain === domain && each.kind === kind,
  );
}
