import { namesOf, type ProjectConfig, type ProjectResource, stringLiteral } from "kubescaffold/plugin";

import { imageVariableOf } from "./image-variable.ts";
import type { Operand } from "./operand.ts";

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

const PRINT_WIDTH = 120;

/** Reports whether a formatter breaks a line. */
function isTooLong(line: string): boolean {
  return line.length > PRINT_WIDTH;
}

/** Returns a literal with the space before it: a line break where it does not fit behind the text that it is assigned by. */
function assigned(literal: string, before: string): string {
  return isTooLong(`${before} ${literal};`) ? `\n  ${literal}` : ` ${literal}`;
}

/** Returns strings as a literal of a list: on one line where that fits behind the text before it, else with one line each. */
export function listLiteral(texts: readonly string[], before: string): string {
  const literals = texts.map((text) => stringLiteral(text));
  const line = `[${literals.join(", ")}]`;
  return !isTooLong(`${before}${line};`) ? line : `[\n${literals.map((each) => `  ${each},\n`).join("")}]`;
}
