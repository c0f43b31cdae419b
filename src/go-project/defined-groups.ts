import type { CrdFacts } from "@kubescaffold/generators/importer";

import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";
import type { CompletedProject, ReadFrom } from "./bare-resources.ts";

type Domains = Pick<ProjectConfig, "domain">;

/**
 * Gives each resource the group of its CRD: Go types name their group themselves, so that PROJECT may disagree with the API that is served.
 *
 * Guarantees: a resource changes only if its recorded group has no CRD of the kind. The group is then that of the one CRD of the kind and version that no
 * other resource has; among several, that of the one whose group is, or starts with, the recorded one.
 */
export function withDefinedGroups(
  { project, readFrom }: CompletedProject,
  crds: readonly CrdFacts[],
): CompletedProject {
  const { resources } = project;
  if (resources === undefined) return { project, readFrom };
  const claimed = new Set(resources.map((each) => idOf(groupOf(project, each), each.kind)));
  const corrected = resources.map((resource): Corrected => correct(project, resource, { crds, claimed }));
  return {
    project: { ...project, resources: corrected.map(({ resource }) => resource) },
    readFrom: [...readFrom, ...corrected.flatMap((each) => each.from ?? [])],
  };
}

interface Corrected {
  readonly resource: ProjectResource;
  readonly from?: ReadFrom;
}

function correct(
  project: ProjectConfig,
  resource: ProjectResource,
  { crds, claimed }: { readonly crds: readonly CrdFacts[]; readonly claimed: ReadonlySet<string> },
): Corrected {
  const { core, external, group = "", kind, version } = resource;
  const recorded = groupOf(project, resource);
  if (core === true || external === true) return { resource };
  if (crds.some((crd) => crd.kind === kind && crd.group === recorded))
    return { resource: qualifiedGroupOf(resource) === recorded ? resource : withDomain(project, resource) };
  const free = crds.filter(
    (crd) =>
      crd.kind === kind && crd.versions.some(({ name }) => name === version) && !claimed.has(idOf(crd.group, kind)),
  );
  const near = free.filter((crd) => crd.group === group || (group !== "" && crd.group.startsWith(`${group}.`)));
  const [only, ...others] = near.length === 0 ? free : near;
  if (only === undefined || others.length > 0) return { resource };
  const { group: _group, domain: _domain, ...kept } = resource;
  const parts = splitGroup(only.group, project, near.length === 0 ? undefined : group);
  const domain = parts.domain === "" ? "no domain" : `domain ${parts.domain}`;
  const what = parts.group === group ? domain : `group ${only.group}`;
  return {
    resource: { ...kept, ...(parts.group === "" ? {} : { group: parts.group }), domain: parts.domain },
    from: { what: `${what} of ${kind} ${version}`, from: only.source },
  };
}

// An entry that was written by hand may leave it to the project.
function withDomain({ domain = "" }: Domains, resource: ProjectResource): ProjectResource {
  return { ...resource, domain };
}

function idOf(group: string, kind: string): string {
  return `${kind}.${group}`;
}

/** Returns the whole group of an entry of PROJECT, which may leave the domain to the project. */
export function groupOf(project: Domains, resource: ProjectResource): string {
  const { core, domain = core === true ? "" : project.domain } = resource;
  return qualifiedGroupOf({ ...resource, ...(domain === undefined ? {} : { domain }) });
}

/** Splits a whole group into the group and the domain of an entry: after a recorded group if one is given, else before the domain of the project. */
export function splitGroup(
  whole: string,
  { domain = "" }: Domains,
  recorded = "",
): { readonly group: string; readonly domain: string } {
  if (recorded !== "") return { group: recorded, domain: whole.slice(recorded.length + 1) };
  if (whole === domain) return { group: "", domain };
  return domain !== "" && whole.endsWith(`.${domain}`)
    ? { group: whole.slice(0, -domain.length - 1), domain }
    : { group: whole, domain: "" };
}

/**
 * Gives each group of a project its own folder: types of two groups in one folder would all get the group of one of them.
 *
 * Guarantees: a project whose folders have one group each does not change. Otherwise, it gets `multigroup`; groups that differ only in their domains
 * are then recorded as whole groups, except the one in the domain of the project.
 */
export function withGroupFolders({ project, readFrom }: CompletedProject): CompletedProject {
  const shared = sharedFolder(project);
  if (shared === undefined) return { project, readFrom };
  const multi = { ...project, multigroup: true };
  const still = sharedFolder(multi);
  const resources = (project.resources ?? []).map((resource): ProjectResource => {
    if (still === undefined || !isOwn(resource) || resource.domain === project.domain) return resource;
    const { domain: _, ...kept } = resource;
    return { ...kept, group: qualifiedGroupOf(resource), domain: "" };
  });
  const what = `a folder per group, since ${shared.groups.join(" and ")} have types of the same version`;
  return { project: { ...multi, resources }, readFrom: [...readFrom, { what, from: shared.folder }] };
}

function sharedFolder(
  project: ProjectConfig,
): { readonly folder: string; readonly groups: readonly string[] } | undefined {
  const groups = new Map<string, Set<string>>();
  for (const resource of (project.resources ?? []).filter((each) => isOwn(each))) {
    const { apiFolder, qualifiedGroup } = namesOf(project, resource);
    groups.set(apiFolder, (groups.get(apiFolder) ?? new Set()).add(qualifiedGroup));
  }
  const found = [...groups].find(([, all]) => all.size > 1);
  return found === undefined ? undefined : { folder: found[0], groups: [...found[1]].toSorted() };
}

function isOwn({ api, core, external }: ProjectResource): boolean {
  return api !== undefined && core !== true && external !== true;
}
