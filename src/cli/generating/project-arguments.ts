import type { FileTree } from "../../machinery/file-tree.ts";
import { BOILERPLATE_FILE } from "../../project/boilerplate-file.ts";
import { MANIFEST_ARGUMENTS } from "./generate-manifests.ts";

/** Returns the generators of a project's code with their options, and the sources it reads, as upstream's Makefile calls it. */
export function schemaArguments(tree: FileTree): readonly string[] {
  return [...codeWords(tree), "paths=./..."];
}

/** Returns the generators of all that is generated in a project, so that one run over its sources makes it. */
export function allArguments(tree: FileTree): readonly string[] {
  return [...codeWords(tree), ...MANIFEST_ARGUMENTS];
}

function codeWords(tree: FileTree): readonly string[] {
  const header = tree.exists(BOILERPLATE_FILE)
    ? `:headerFile=${BOILERPLATE_FILE},year=${new Date().getFullYear()}`
    : "";
  return ["object", "applyconfiguration"].map((name) => name + header);
}
