import { pascalCase, type ProjectConfig, type ResourceNames } from "../plugin/index.ts";

/** What files, classes and metrics call a controller. */
export interface ControllerNames {
  /** The start of its files' names. */
  readonly file: string;
  readonly reconciler: string;
  /** The name that it registers with the manager, which no other controller may have. */
  readonly registeredName: string;
}

/** Derives the names of a controller from its own name, or from its kind when it has none. */
export function controllerNamesOf(
  project: ProjectConfig,
  names: ResourceNames,
  controllerName: string | undefined,
): ControllerNames {
  if (controllerName !== undefined && controllerName !== names.kindLower) {
    return {
      file: controllerName.replaceAll("-", "_"),
      reconciler: `${pascalCase(controllerName)}Reconciler`,
      registeredName: controllerName,
    };
  }
  const isGrouped = project.multigroup === true && names.group !== "";
  return {
    file: names.kindLower,
    reconciler: `${names.kind}Reconciler`,
    registeredName: isGrouped ? `${names.group}-${names.kindLower}` : names.kindLower,
  };
}
