import { InvalidNameError, ResourceConflictError } from "../errors.ts";
import type { ProjectConfig, ProjectResource } from "../project-config.ts";
import { validateControllerName } from "../validate-names.ts";

/** The controllers of a resource after one was added, and the name of the new one where it has its own. */
export interface PlannedControllers {
  readonly entries: Pick<ProjectResource, "controller" | "controllers">;
  readonly name: string | undefined;
}

interface ControllerRequest {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly controllerName?: string | undefined;
  readonly force: boolean;
}

/**
 * Decides what PROJECT records of a controller that is added to a resource: one without its own name is the flag `controller`; the first
 * name makes it an entry beside the new one.
 *
 * Fails: {@link InvalidNameError}, {@link ResourceConflictError} when the controller, or one with the same class, is there already.
 */
export function planController(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  request: ControllerRequest,
): PlannedControllers {
  const name = request.controllerName ?? clashingName(project, stored, request);
  if (!request.force) refuseOtherVersion(project, request, name ?? request.kind.toLowerCase());
  if (name === undefined) return unnamed(stored, request);
  validateControllerName(name);
  const known = controllerNames(stored);
  if (known.includes(name)) {
    if (!request.force) throw existing(name);
    return { entries: entriesOf(stored), name };
  }
  refuseSameClass(name, known);
  return { entries: { controllers: [...known, name].map((each) => ({ name: each })) }, name };
}

// Versions of a kind share the files and the classes of controllers.
function refuseOtherVersion(
  { resources = [] }: ProjectConfig,
  { group, version, kind }: ControllerRequest,
  name: string,
): void {
  const other = resources.find(
    (each) =>
      (each.group ?? "") === group &&
      each.kind === kind &&
      each.version !== version &&
      controllerNames(each).includes(name),
  );
  if (other === undefined) return;
  throw new ResourceConflictError(
    `cannot create controller "${name}" for ${kind} ${version}: ${kind} ${other.version} has a controller with this name`,
    {
      hint: "a controller works with one version of its kind: pass --controller=false, or another name with --controller-name",
    },
  );
}

/** Returns the first of some versions of a kind that has a controller. */
export function controlledVersion(versions: readonly ProjectResource[]): ProjectResource | undefined {
  return versions.find((each) => controllerNames(each).length > 0);
}

/** Returns the names of a resource's controllers; one without its own name has that of its kind. */
export function controllerNames(resource: ProjectResource | undefined): readonly string[] {
  if (resource?.controllers !== undefined) return resource.controllers.map((each) => each.name);
  return resource?.controller === true ? [resource.kind.toLowerCase()] : [];
}

function unnamed(stored: ProjectResource | undefined, { kind, force }: ControllerRequest): PlannedControllers {
  const known = controllerNames(stored);
  if (known.length > 0 && !force) {
    throw new ResourceConflictError(`cannot create a controller for ${kind}: it already has a controller`, {
      hint: "pass --controller-name to add another controller, or --force to overwrite its files",
    });
  }
  if (stored?.controllers !== undefined) return { entries: entriesOf(stored), name: known[0] };
  return { entries: { controller: true }, name: undefined };
}

function entriesOf(stored: ProjectResource | undefined): PlannedControllers["entries"] {
  if (stored?.controllers !== undefined) return { controllers: stored.controllers };
  return stored?.controller === true ? { controller: true } : {};
}

// Where files of all groups share a folder, a second kind of one name gets its group in front.
function clashingName(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  { group, kind }: ControllerRequest,
): string | undefined {
  if (project.multigroup === true || stored?.controller === true || stored?.controllers !== undefined) return undefined;
  const others = (project.resources ?? []).filter((each) => (each.group ?? "") !== group);
  const isTaken = others.some((each) => controllerNames(each).includes(kind.toLowerCase()));
  return isTaken ? `${group.replaceAll(".", "-")}-${kind.toLowerCase()}` : undefined;
}

function existing(name: string): ResourceConflictError {
  return new ResourceConflictError(`cannot create controller "${name}": a controller with this name already exists`, {
    hint: "choose another --controller-name, or pass --force to overwrite its files",
  });
}

function refuseSameClass(name: string, known: readonly string[]): void {
  const normal = (each: string): string => each.replaceAll("-", "");
  const clash = known.find((each) => normal(each) === normal(name));
  if (clash === undefined) return;
  throw new InvalidNameError(`cannot use controller name "${name}": its class name is the same as that of "${clash}"`, {
    hint: "choose a name that differs in letters or digits",
  });
}
