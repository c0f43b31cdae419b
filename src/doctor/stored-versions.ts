import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

import { removedStoredVersions } from "../changes/storage-version.ts";
import type { FileTree } from "../machinery/file-tree.ts";
import { PROJECT_FILE, type ProjectConfig } from "../project/project-config.ts";
import { crdNameOf } from "../project/resource-names.ts";
import { gvkFlags } from "../project/shell-word.ts";
import type { VersionRecord } from "../project/version-records.ts";
import { type Definition, definitionsIn } from "./definitions.ts";
import type { Finding } from "./project-files.ts";

/** Returns the versions that the project no longer has, although PROJECT records that objects may be stored in them. */
export function diagnoseStoredVersions(tree: FileTree, project: ProjectConfig): readonly Finding[] {
  return removedStoredVersions(tree, project).map((record) => ({
    severity: "error",
    path: PROJECT_FILE,
    message: `${record.version} of ${record.kind} was removed, but objects may be stored in it: ${REFUSAL}`,
    hint: restoreHint(record),
  }));
}

const REFUSAL = "API servers refuse a CRD without a version of status.storedVersions";

/** Returns how a version is restored that was removed too early, and removed after a migration. */
export function restoreHint({ group, version, kind }: VersionRecord): string {
  const gvk = { group, version, kind };
  return `restore the version from version control, migrate the objects of every cluster with \`npx scaffold migrate-storage ${kind}\`, and then run \`npx scaffold delete api ${gvkFlags(gvk)} --not-stored\``;
}

/** Compares the versions of the CRDs of a cluster, and those in which objects are stored there, with the CRDs that the sources generate. */
export function diagnoseInstalledVersions({
  installed,
  project,
  generated,
}: {
  readonly installed: readonly CustomResourceDefinition[];
  readonly project: ProjectConfig;
  readonly generated: readonly { readonly path: string; readonly content: string }[];
}): readonly Finding[] {
  const current = generated
    .filter(({ path }) => path.endsWith(".yaml"))
    .flatMap(({ path, content }) => definitionsIn(content).map((definition) => ({ path, definition })));
  const resources = (project.resources ?? []).filter(({ api }) => api !== undefined);
  // The versions of a kind have one CRD.
  const kinds = new Map(resources.map((resource) => [crdNameOf(project, resource), resource]));
  return [...kinds].flatMap(([name, { group }]): readonly Finding[] => {
    const crd = installed.find(({ metadata }) => metadata.name === name);
    const own = current.find(({ definition }) => `${definition.plural}.${definition.group}` === name);
    if (own === undefined) return [];
    return crd === undefined ? [notInstalled(name, own.path)] : versionFindings(crd, { ...own, group });
  });
}

function notInstalled(name: string, path: string): Finding {
  return {
    severity: "note",
    path,
    message: `the cluster does not have the CRD ${name}`,
    hint: "install the CRDs with `npx scaffold install`, or select another cluster",
  };
}

interface OwnDefinition {
  readonly path: string;
  readonly definition: Definition;
  /** The group without the domain, as flags name it. */
  readonly group: string | undefined;
}

function versionFindings(
  { metadata, spec, status }: CustomResourceDefinition,
  { path, definition, group }: OwnDefinition,
): readonly Finding[] {
  const stored = status?.storedVersions ?? [];
  const storage = spec.versions.find((each) => each.storage)?.name;
  const wanted = definition.versions.find((each) => each.storage)?.name;
  const known = new Set(definition.versions.map(({ name }) => name));
  const name = metadata.name ?? "";
  const removed = stored.filter((version) => !known.has(version));
  const old = stored.filter((version) => known.has(version) && version !== storage);
  return [
    ...removed.map((version): Finding => ({
      severity: "error",
      path,
      message: `${version} of ${definition.kind} was removed, but status.storedVersions of ${name} in the cluster contains it: the API server refuses the CRD`,
      hint: restoreHint({ ...(group === undefined ? {} : { group }), version, kind: definition.kind }),
    })),
    ...(storage === wanted
      ? []
      : [
          {
            severity: "note" as const,
            path,
            message: `the storage version of ${name} is ${wanted ?? "missing"}, but ${storage ?? "missing"} in the cluster`,
            hint: "deploy the CRDs with `npx scaffold install` or `npx scaffold deploy`",
          },
        ]),
    ...old.map((version): Finding => ({
      severity: "note",
      path,
      message: `objects may be stored in ${version}: status.storedVersions of ${name} in the cluster contains it`,
      hint: `rewrite them with \`npx scaffold migrate-storage ${name}\`, so that the version can be removed`,
    })),
  ];
}
