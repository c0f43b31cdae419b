import { type FileTree, namesOf, type ProjectConfig, type ProjectResource } from "kubescaffold/plugin";

import type { OperandOptions } from "./operand.ts";
import { withStoredOptions } from "./stored-operands.ts";

/** Returns the options of all kinds that run an image, read from the files that the plugin wrote; nothing without such kinds. */
export function restoreConfiguration({
  project,
  tree,
}: {
  readonly project: ProjectConfig;
  readonly tree: FileTree;
}): object | undefined {
  let configuration: object | undefined;
  for (const resource of project.resources ?? []) {
    const options = resource.api === undefined ? undefined : optionsOf(tree, project, resource);
    if (options !== undefined) configuration = withStoredOptions(configuration, resource, options);
  }
  return configuration;
}

function optionsOf(tree: FileTree, project: ProjectConfig, resource: ProjectResource): OperandOptions | undefined {
  const { controllerFolder, kindLower, apiFolder } = namesOf(project, resource);
  const text = tree.read(`${controllerFolder}/${kindLower}_workload.ts`);
  // Kinds of one name in several versions or groups may share the folder: the file names the version that it is for.
  if (text?.includes(`/${apiFolder}/${kindLower}_types.ts"`) !== true) return undefined;
  const [image] = literalsIn(/^export const DEFAULT_IMAGE =(?<value>[^;]*);/mu.exec(text)?.groups?.["value"]);
  if (image === undefined) return undefined;
  const command = literalsIn(/^export const COMMAND[^=]*=(?<value>[^;]*);/mu.exec(text)?.groups?.["value"]);
  const port = /^export const DEFAULT_PORT = (?<port>\d+);/mu.exec(text)?.groups?.["port"];
  const user = /^ *runAsUser: (?<user>\d+),/mu.exec(text)?.groups?.["user"];
  return {
    ...(command.length === 0 ? {} : { containerCommand: command.map((word) => commandWord(word)).join(",") }),
    ...(port === undefined ? {} : { containerPort: port }),
    image,
    ...(user === undefined ? {} : { runAsUser: user }),
  };
}

const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gu;

function literalsIn(text = ""): readonly string[] {
  return (text.match(LITERAL) ?? []).map((literal) => {
    const inner = literal.slice(1, -1);
    const doubled = literal.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll('"', '\\"') : inner;
    return String(JSON.parse(`"${doubled}"`));
  });
}

// Words with separators, quotes, or blanks at their ends are quoted, as `splitCommand` reads them.
function commandWord(word: string): string {
  return word !== "" && word === word.trim() && !/[,'"\\]/u.test(word)
    ? word
    : `"${word.replaceAll(/(?<sign>["\\])/gu, "\\$<sign>")}"`;
}
