import type { CreateApiOptions, FlagValues, ProjectConfig, ScaffoldContext } from "kubescaffold/plugin";

import { ControllerTakenError, ImageMissingError, IncompleteApiError } from "./errors.ts";
import type { OperandOptions } from "./operand.ts";
import { storedOptions } from "./stored-operands.ts";

/**
 * Returns the options to write an API with: those of the flags, else those that PROJECT has of it; nothing for an API without any.
 *
 * Fails: {@link ImageMissingError}, {@link IncompleteApiError} and {@link ControllerTakenError}, in a call that a person makes.
 */
export function requestedOptions(
  { flags, configuration, project }: Pick<ScaffoldContext, "flags" | "configuration" | "project">,
  options: CreateApiOptions,
): OperandOptions | undefined {
  const { resource, controllerName } = options;
  const stored = storedOptions(configuration, resource);
  const isReplay = Object.keys(flags).length === 0;
  // A further controller of the kind is the user's own.
  if (isReplay)
    return controllerName === undefined || controllerName === resource.kind.toLowerCase() ? stored : undefined;
  refuseParts(flags, options);
  refuseTaken(project, options);
  const given = givenOptions(flags);
  if (given === undefined && stored === undefined) throw new ImageMissingError("--image is not set");
  return given ?? stored;
}

function refuseParts(
  flags: FlagValues,
  { resource, writesResource, writesController, controllerName }: CreateApiOptions,
) {
  if (!writesResource) throw new IncompleteApiError("--resource=false");
  if (!writesController) throw new IncompleteApiError("--controller=false");
  if (resource.external === true) throw new IncompleteApiError("--external-api-path");
  if (resource.api?.namespaced !== true) throw new IncompleteApiError("--namespaced=false");
  if (controllerName !== undefined && flags["controller-name"] !== undefined)
    throw new IncompleteApiError("--controller-name");
}

// The controller has the name of its kind, since its files belong together.
function refuseTaken(project: ProjectConfig, { resource, controllerName }: CreateApiOptions): void {
  const { domain, group, kind, version } = resource;
  const other = (project.resources ?? []).find(
    (each) =>
      each.kind === kind &&
      (each.group ?? "") === (group ?? "") &&
      (each.domain ?? "") === (domain ?? "") &&
      each.version !== version &&
      (each.controller === true || each.controllers !== undefined),
  );
  if (other !== undefined) {
    throw new ControllerTakenError(`cannot deploy an image: ${kind} already has a controller, in ${other.version}`, {
      hint: "add the version without the plugin, with --controller=false: one controller serves all versions",
    });
  }
  if (controllerName === undefined || controllerName === kind.toLowerCase()) return;
  throw new ControllerTakenError(`cannot deploy an image: the project has another controller ${kind.toLowerCase()}`, {
    hint: "run `npx scaffold edit --multigroup` first, so that each group has its own controllers",
  });
}

const FLAG_OF = {
  containerCommand: "image-container-command",
  containerPort: "image-container-port",
  runAsUser: "run-as-user",
} as const;

function givenOptions(flags: FlagValues): OperandOptions | undefined {
  const image = textOf(flags, "image");
  const others = Object.entries(FLAG_OF).flatMap(([option, flag]) => {
    const text = textOf(flags, flag);
    return text === undefined ? [] : [[option, text] as const];
  });
  if (image !== undefined) return { image, ...Object.fromEntries(others) };
  if (others.length > 0) throw new ImageMissingError("container options require --image");
  return undefined;
}

// Empty is the same as absent, so that scripts can pass an empty variable.
function textOf(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
