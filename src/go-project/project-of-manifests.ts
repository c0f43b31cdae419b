import type { CrdFacts } from "@kubescaffold/generators/importer";

import type { ProjectConfig } from "../project/project-config.ts";
import type { CompletedProject } from "./bare-resources.ts";
import type { GoFiles } from "./go-files.ts";
import { findManifests } from "./manifest-places.ts";

const GO_MODULE = "go.mod";

/**
 * Returns the PROJECT that a project without one would have: its APIs are those of its CRDs, and its domain is the longest that the groups of all CRDs
 * end with, unless they end with a recorded one. Undefined for a folder without CRDs.
 */
export function projectOfManifests(
  files: GoFiles,
  crds: readonly CrdFacts[],
  recorded?: string,
): CompletedProject | undefined {
  if (crds.length === 0) return undefined;
  const groups = [...new Set(crds.map(({ group }) => group))].toSorted();
  const isRecorded = recorded !== undefined && groups.every((group) => group.endsWith(`.${recorded}`));
  const domain = isRecorded ? recorded : commonDomain(groups);
  const repo = /^module\s+"?(?<path>[^\s"]+)/mu.exec(files.read(GO_MODULE) ?? "")?.groups?.["path"];
  const project: ProjectConfig = {
    version: "3",
    layout: ["go.kubebuilder.io/v4"],
    domain,
    ...(repo === undefined ? {} : { repo }),
    ...(groups.length > 1 ? { multigroup: true } : {}),
    resources: crds.flatMap(({ group, kind, versions }) =>
      versions.map(({ name }) => ({
        ...(group === domain ? {} : { group: domain === "" ? group : group.slice(0, -domain.length - 1) }),
        domain,
        kind,
        version: name,
      })),
    ),
  };
  const from = findManifests(files).crds;
  return {
    project,
    readFrom: [
      { what: `the domain ${domain} and the APIs, since there is no file PROJECT`, from },
      ...(repo === undefined ? [] : [{ what: `the module ${repo}`, from: GO_MODULE }]),
    ],
  };
}

// With several groups, each must have its own name before the domain.
function commonDomain(groups: readonly string[]): string {
  const [first = "", ...others] = groups;
  if (others.length === 0) return first;
  const labels = first.split(".");
  const suffixes = labels.map((_, index) => labels.slice(index).join("."));
  return suffixes.find((suffix) => groups.every((group) => group.endsWith(`.${suffix}`))) ?? "";
}
