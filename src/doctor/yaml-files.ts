import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import type { FileTree } from "../machinery/file-tree.ts";
import type { Finding } from "./project-files.ts";

/** Returns which manifests of those that were scaffolded cannot be read any more; neither kustomize nor kubectl could. */
export function diagnoseYaml(tree: FileTree, paths: readonly string[]): readonly Finding[] {
  const manifests = paths.filter((path) => path.startsWith("config/") && path.endsWith(".yaml"));
  return [...new Set(manifests)].flatMap((path) => {
    const problem = problemOf(tree.read(path) ?? "");
    if (problem === undefined) return [];
    return [
      {
        severity: "error",
        path,
        message: `it is no YAML: ${problem}`,
        hint: "correct it, or restore it from version control",
      },
    ];
  });
}

function problemOf(text: string): string | undefined {
  try {
    readYamlDocuments(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}
