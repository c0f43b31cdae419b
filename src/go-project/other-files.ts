import { canonicalJson } from "@kubescaffold/generators/importer";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import type { FileTree } from "../machinery/file-tree.ts";
import { PROJECT_FILE } from "../project/project-config.ts";
import type { GoFiles } from "./go-files.ts";
import { findManifests, isGenerated } from "./manifest-places.ts";

/** The files that are no Go, by what became of them. */
export interface OtherFiles {
  /** Manifests of both projects that differ: what was changed in them by hand is to be carried over. */
  readonly differing: readonly string[];
  /** Files that both projects have, each its own. */
  readonly replaced: readonly string[];
  /** Files that the new project does not have. */
  readonly left: readonly string[];
}

/** Puts the samples of the Go project in place of the examples. */
export function copySamples(files: GoFiles, tree: FileTree): void {
  for (const path of files.paths) {
    if (!/^config\/samples\/.*\.ya?ml$/u.test(path) || path.endsWith("kustomization.yaml") || !tree.exists(path))
      continue;
    const text = files.read(path) ?? "";
    if (readYamlDocuments(text, { file: path }).length > 0) tree.update(path, () => text);
  }
}

/** Sorts the files that are no Go by what became of them. */
export function sortOthers(files: GoFiles, tree: FileTree): OtherFiles {
  const places = findManifests(files);
  const others = files.paths.filter(
    (path) => !path.endsWith(".go") && !isGenerated(path, places) && path !== PROJECT_FILE,
  );
  const [known, left] = [others.filter((path) => tree.exists(path)), others.filter((path) => !tree.exists(path))];
  const isManifest = (path: string): boolean => /^config\/.*\.ya?ml$/u.test(path);
  return {
    differing: known.filter((path) => isManifest(path) && differs(path, files.read(path), tree.read(path))),
    replaced: known.filter((path) => !isManifest(path)),
    left,
  };
}

function differs(path: string, go: string | undefined, own: string | undefined): boolean {
  const documents = (text: string | undefined): string =>
    canonicalJson(readYamlDocuments(text ?? "", { file: path }).filter((document) => document !== null));
  return documents(go) !== documents(own);
}
