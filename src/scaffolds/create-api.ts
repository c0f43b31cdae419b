import path from "node:path";

import {
  type CreateApiOptions,
  namesOf,
  pascalCase,
  type ProjectConfig,
  type ResourceNames,
  type Scaffold,
  type ScaffoldContext,
} from "../plugin/index.ts";
import { addModule, importName, resourceValues } from "./resource-values.ts";

/** Writes the types of an API, a controller with its test, and registers the controller in `cmd/main.ts`. */
export const createApi: Scaffold<CreateApiOptions> = (context, options) => {
  if (options.writesResource) writeTypes(context, options);
  if (options.writesController) writeController(context, options);
};

function writeTypes(context: ScaffoldContext, { resource, force }: CreateApiOptions): void {
  const folder = namesOf(context.project, resource).apiFolder;
  const { names, values } = resourceValues(context, resource, folder);
  const isVersionFile = (file: string): boolean => file.endsWith("groupversion_info.ts");
  context.renderTemplates("api/types", {
    into: folder,
    values: {
      ...values,
      resourceMarker: resourceMarker(resource, names),
      usesApply: resource.api?.ssa === true,
    },
    paths: { kind: names.kindLower },
    ifExists: (path) => {
      if (isVersionFile(path)) return "skip";
      return force ? "overwrite" : "error";
    },
  });
}

function resourceMarker(resource: CreateApiOptions["resource"], names: ResourceNames): string {
  const parts = [
    ...(names.isPluralIrregular ? [`path=${names.plural}`] : []),
    ...(resource.api?.namespaced === true ? [] : ["scope=Cluster"]),
  ];
  return parts.join(",");
}

function writeController(context: ScaffoldContext, { resource, force, controllerName }: CreateApiOptions): void {
  const folder = namesOf(context.project, resource).controllerFolder;
  const { names, values } = resourceValues(context, resource, folder);
  const controller = controllerNamesOf(context.project, names, controllerName);
  const file = `${folder}/${controller.file}_controller.ts`;
  const test = `${folder}/${controller.file}_controller.test.ts`;
  context.renderTemplates("api/controller", {
    into: folder,
    values: {
      ...values,
      reconciler: controller.reconciler,
      controllerFile: controller.file,
      controllerName: controller.registeredName,
    },
    paths: { controller: controller.file },
    ifExists: (path) => {
      if (force && (path === file || path === test)) return "overwrite";
      return path === file ? "error" : "skip";
    },
  });
  registerController(context, names, file, controller.reconciler);
  addModule(context, resource);
}

function registerController(
  { project, insert }: ScaffoldContext,
  names: ResourceNames,
  file: string,
  own: string,
): void {
  const alias = importName(project, names, own);
  const imported = alias === own ? own : `${own} as ${alias}`;
  const specifier = path.posix.relative("cmd", file);
  insert({ path: "cmd/main.ts", marker: "imports", lines: [`import { ${imported} } from "${specifier}";`] });
  insert({
    path: "cmd/main.ts",
    marker: "builder",
    lines: [`await new ${alias}(mgr.getClient()).setupWithManager(mgr);`],
  });
}

/** What files, classes and metrics call a controller. */
interface ControllerNames {
  /** The start of its files' names. */
  readonly file: string;
  readonly reconciler: string;
  /** The name that it registers with the manager, which no other controller may have. */
  readonly registeredName: string;
}

/** Derives the names of a controller from its own name, or from its kind when it has none. */
function controllerNamesOf(
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
