import { namesOf, type ProjectConfig, type ProjectResource, stringLiteral } from "kubescaffold/plugin";

import { imageVariableOf } from "./image-variable.ts";
import type { Operand } from "./operand.ts";
import { assigned, listLiteral } from "./typescript-literal.ts";

/** Returns what the templates know of a kind and of what its Pods run. */
export function templateValues(
  project: ProjectConfig,
  resource: ProjectResource,
  operand: Operand,
): Readonly<Record<string, unknown>> {
  const { command, image, port, runAsUser } = operand;
  return {
    ...resourceValues(project, resource),
    imageText: assigned(stringLiteral(image), "export const DEFAULT_IMAGE ="),
    imageInTest: assigned(stringLiteral(image), "const IMAGE ="),
    imageVariable: imageVariableOf(project, resource),
    hasCommand: command.length > 0,
    commandText: listLiteral(command, "export const COMMAND: readonly string[] = "),
    hasPort: port !== undefined,
    port: port ?? 0,
    hasUser: runAsUser !== undefined,
    runAsUser: runAsUser ?? 0,
  };
}

function resourceValues(project: ProjectConfig, resource: ProjectResource): Readonly<Record<string, unknown>> {
  const names = namesOf(project, resource);
  const { kind, kindLower, group, qualifiedGroup, plural, version, apiFolder, controllerFolder } = names;
  const isGrouped = project.multigroup === true && group !== "";
  const projectName = project.projectName ?? "";
  const up = upFrom(controllerFolder);
  return {
    kind,
    kindLower,
    plural,
    version,
    qualifiedGroup,
    projectName,
    usesApply: resource.api?.ssa === true,
    resourceMarker: names.isPluralIrregular ? `path=${plural}` : "",
    rbacGroup: qualifiedGroup,
    rbacNamespace: project.namespaced === true ? `namespace=${projectName}-system,` : "",
    rootPath: up,
    typesImport: `${up}/${apiFolder}/${kindLower}_types.ts`,
    controllerName: isGrouped ? `${group}-${kindLower}` : kindLower,
    ownerLabel: `${qualifiedGroup}/${kindLower}`,
    containerName: kindLower,
  };
}

function upFrom(folder: string): string {
  return folder
    .split("/")
    .map(() => "..")
    .join("/");
}
