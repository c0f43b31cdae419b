import { namesOf, type ProjectConfig, type ProjectResource } from "kubescaffold/plugin";

import { imageVariableOf } from "./image-variable.ts";
import type { Operand } from "./operand.ts";
import { listLiteral, stringLiteral } from "./typescript-literal.ts";

/** Returns what the templates know of a kind and of what its Pods run. */
export function templateValues(
  project: ProjectConfig,
  resource: ProjectResource,
  operand: Operand,
): Readonly<Record<string, unknown>> {
  const { command, image, port, runAsUser } = operand;
  return {
    ...resourceValues(project, resource),
    imageText: stringLiteral(image),
    imageVariable: imageVariableOf(project, resource),
    hasCommand: command.length > 0,
    commandText: listLiteral(command, { before: "export const COMMAND: readonly string[] = ".length }),
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
