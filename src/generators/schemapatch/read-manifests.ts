import path from "node:path";

import { errorWithoutPlace, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceHost } from "../../loader/source-host.ts";
import { readTree } from "./read-tree.ts";
import { memberOf, textAt, type YamlDocument } from "./yaml-tree.ts";

/** A CRD of the folder, as it is written. */
export interface CrdManifest {
  readonly fileName: string;
  readonly group: string;
  readonly kind: string;
  /** The names of its versions, in its order. */
  readonly versions: readonly string[];
  readonly document: YamlDocument;
}

/** What a folder holds. */
export interface CrdManifests {
  readonly manifests: readonly CrdManifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the CRDs among the `*.yaml` files of a folder, not of those below it; everything else there is left alone. */
export function readManifests(
  host: SourceHost,
  { root, folder }: { readonly root: string; readonly folder: string },
): CrdManifests {
  const entries = host.listDirectory(path.resolve(root, folder));
  if (entries === undefined) return { manifests: [], diagnostics: [missingFolder(folder)] };
  const found = entries
    .filter((entry) => entry.kind !== "directory" && path.extname(entry.name) === ".yaml")
    .map((entry) =>
      readManifest(host.readFile(path.resolve(root, folder, entry.name)) ?? "", path.posix.join(folder, entry.name)),
    );
  return {
    manifests: found.flatMap((each) => (each.kind === "manifest" ? [each.manifest] : [])),
    diagnostics: found.flatMap((each) => (each.kind === "refused" ? [each.diagnostic] : [])),
  };
}

type Reading =
  | { readonly kind: "manifest"; readonly manifest: CrdManifest }
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic }
  | { readonly kind: "other" };

function readManifest(text: string, file: string): Reading {
  const document = text.includes("CustomResourceDefinition") ? readTree(text) : undefined;
  if (document === undefined) return { kind: "other" };
  const { root } = document;
  const apiVersion = textAt(root, ["apiVersion"]) ?? "";
  if (apiVersion === "" || textAt(root, ["kind"]) !== "CustomResourceDefinition") return { kind: "other" };
  if (apiVersion !== "apiextensions.k8s.io/v1") return { kind: "refused", diagnostic: otherVersion(file, apiVersion) };
  const versions = memberOf(memberOf(root, "spec"), "versions");
  const items = versions?.kind === "sequence" ? versions.items : undefined;
  const names = (items ?? []).map(({ value }) => textAt(value, ["name"]) ?? "");
  if (items === undefined || names.includes("")) return { kind: "refused", diagnostic: withoutVersions(file) };
  const manifest: CrdManifest = {
    fileName: path.posix.basename(file),
    group: textAt(root, ["spec", "group"]) ?? "",
    kind: textAt(root, ["spec", "names", "kind"]) ?? "",
    versions: names,
    document,
  };
  return { kind: "manifest", manifest };
}

function missingFolder(folder: string): Diagnostic {
  return errorWithoutPlace({
    code: "GENERATE_MANIFESTS_FOLDER",
    message: `cannot patch the CRDs of manifests=${folder}: there is no such folder`,
    hint: "name the folder that holds the CRDs, relative to the project",
  });
}

function otherVersion(file: string, apiVersion: string): Diagnostic {
  return errorWithoutPlace({
    code: "GENERATE_CRD_API_VERSION",
    message: `cannot patch ${file}: its apiVersion is ${JSON.stringify(apiVersion)}`,
    hint: "convert the CRD to apiextensions.k8s.io/v1, the only version that servers have, or move it out of the folder",
  });
}

function withoutVersions(file: string): Diagnostic {
  return errorWithoutPlace({
    code: "GENERATE_CRD_VERSIONS",
    message: `cannot patch ${file}: it has no list spec.versions in which each version has a name`,
    hint: "list the versions under spec.versions, each with a name",
  });
}
