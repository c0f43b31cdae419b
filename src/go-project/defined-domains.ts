import type { CrdFacts } from "../importer/crd-facts.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import type { CompletedProject } from "./bare-resources.ts";

/**
 * Corrects the domains of resources whose CRD has another: Go types name their group themselves, so that PROJECT may disagree with the API that is served.
 *
 * Guarantees: resources that share a folder of types keep one group, and a resource changes only when it has no CRD under the recorded domain, and exactly one CRD has its kind, its version, and its group.
 */
export function withDefinedDomains(project: ProjectConfig, crds: readonly CrdFacts[]): CompletedProject {
  const resources = project.resources ?? [];
  const proposed = resources.map((resource) => correct(project, resource, crds));
  const folderOf = ({ group = "", version }: ProjectResource): string =>
    `${project.multigroup === true ? group : ""}/${version}`;
  const groupsIn = (folder: string): ReadonlySet<string> =>
    new Set(
      proposed
        .filter(({ resource }) => resource.core !== true && folderOf(resource) === folder)
        .map(({ resource }) => qualifiedGroupOf({ ...resource, domain: resource.domain ?? project.domain ?? "" })),
    );
  const corrected = resources.map((resource, index): Corrected =>
    groupsIn(folderOf(resource)).size > 1 ? { resource } : (proposed[index] ?? { resource }),
  );
  return {
    project:
      project.resources === undefined ? project : { ...project, resources: corrected.map(({ resource }) => resource) },
    readFrom: corrected.flatMap(({ resource, from }) =>
      from === undefined
        ? []
        : [{ what: `domain ${resource.domain ?? ""} of ${resource.kind} ${resource.version}`, from }],
    ),
  };
}

interface Corrected {
  readonly resource: ProjectResource;
  readonly from?: string;
}

function correct(project: ProjectConfig, resource: ProjectResource, crds: readonly CrdFacts[]): Corrected {
  const { core, domain = project.domain ?? "", group = "", kind, version } = resource;
  const recorded = qualifiedGroupOf({ group, domain });
  const sameKind = crds.filter((crd) => crd.kind === kind && crd.versions.some(({ name }) => name === version));
  if (core === true || group === "" || sameKind.some((crd) => crd.group === recorded)) return { resource };
  const [only, ...others] = sameKind.filter((crd) => crd.group.startsWith(`${group}.`));
  if (only === undefined || others.length > 0) return { resource };
  return { resource: { ...resource, domain: only.group.slice(group.length + 1) }, from: only.source };
}
