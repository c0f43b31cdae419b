import type { FileTree } from "../machinery/file-tree.ts";
import { BOILERPLATE_FILE } from "../project/boilerplate-file.ts";
import { MANIFEST_ARGUMENTS } from "./generate-manifests.ts";

/** Returns the generator of a project's schemas with its options, and the sources it reads, as upstream's Makefile calls it. */
export function schemaArguments(tree: FileTree): readonly string[] {
  return [objectWord(tree), "paths=./..."];
}

/** Returns the generators of all that is generated in a project, so that one run over its sources makes it. */
export function allArguments(tree: FileTree): readonly string[] {
  return [objectWord(tree), ...MANIFEST_ARGUMENTS];
}

function objectWord(tree: FileTree): string {
  return tree.exists(BOILERPLATE_FILE)
    ? `object:headerFile=${BOILERPLATE_FILE},year=${new Date().getFullYear()}`
    : "object";
}
