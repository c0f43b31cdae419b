import path from "node:path";

import type { FileTree } from "../machinery/file-tree.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";

/** A version of a kind, and the one whose fields it gets. */
export interface CopiedVersion {
  readonly source: ProjectResource;
  readonly resource: ProjectResource;
}

/** Returns the types and the sample of a version as `create api --from` copies them from another one, by path; those that exist there. */
export function copiedFiles(
  tree: FileTree,
  project: ProjectConfig,
  { source, resource }: CopiedVersion,
): ReadonlyMap<string, string> {
  const [from, to] = [namesOf(project, source), namesOf(project, resource)];
  const copies = new Map<string, string>();
  const types = tree.read(`${from.apiFolder}/${from.kindLower}_types.ts`);
  if (types !== undefined) {
    const specifierOf = (file: string): string =>
      tree.exists(`${to.apiFolder}/${file}`)
        ? `./${file}`
        : path.posix.join("..", path.posix.basename(from.apiFolder), file);
    copies.set(`${to.apiFolder}/${to.kindLower}_types.ts`, withImportsFrom(withoutVersionMarkers(types), specifierOf));
  }
  const sample = tree.read(`config/samples/${from.sampleName}`);
  if (sample !== undefined) {
    const text = sample.replaceAll(/(?<=^apiVersion: ["']?)[^\s"']+/gmu, (found) =>
      found === groupVersionOf(source) ? groupVersionOf(resource) : found,
    );
    copies.set(`config/samples/${to.sampleName}`, text);
  }
  return copies;
}

function groupVersionOf(resource: ProjectResource): string {
  return `${qualifiedGroupOf(resource)}/${resource.version}`;
}

// A kind has one storage version, and a new version is neither deprecated nor unserved.
const VERSION_MARKER =
  /^[ \t]*(?:\/\*\*|\*|\/\/)[ \t]*\+kubebuilder:(?:storageversion|deprecatedversion|unservedversion)\b.*\n/gmu;

function withoutVersionMarkers(text: string): string {
  return text.replaceAll(VERSION_MARKER, "");
}

const NEIGHBOR = /(?<=\bfrom )(?<quote>["'])\.\/(?<file>[^"']+)\k<quote>/gu;

// Generated files belong to their version; others that the new version lacks stay where they are.
function withImportsFrom(text: string, specifierOf: (file: string) => string): string {
  return text.replaceAll(NEIGHBOR, (whole, quote: string, file: string) =>
    file.startsWith("zz_generated.") ? whole : `${quote}${specifierOf(file)}${quote}`,
  );
}
