import type { CrdFacts } from "@kubescaffold/generators/importer";
import { builtInResources, type BuiltInResource } from "@kubescaffold/k8s/tables";

import { coreGroupDomain, coreGroupOfModule } from "../project/core-groups.ts";
import { hasKindForm, isVersion } from "../project/name-rules.ts";
import { controllerNames } from "../project/plans/plan-controllers.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { isBare, typeFolders, type CompletedProject, type ReadFrom } from "./bare-resources.ts";
import { groupOf, splitGroup } from "./defined-groups.ts";
import type { GoFiles } from "./go-files.ts";

/** What a project has beside PROJECT. */
interface ProjectSources {
  readonly files: Pick<GoFiles, "paths" | "read">;
  readonly crds: readonly CrdFacts[];
}

/**
 * Makes the entries of PROJECT those of the CRDs: kinds and versions that PROJECT does not list are added as bare entries; entries of versions that
 * their CRD does not have, and of types without metadata, which no CRD can have, are removed.
 */
export function withDefinedKinds(
  { project, readFrom }: CompletedProject,
  { files, crds }: ProjectSources,
): CompletedProject {
  const listed = project.resources ?? [];
  const gone = new Map(
    listed.flatMap((resource) => {
      const reason = reasonToRemove(project, resource, { files, crds });
      return reason === undefined ? [] : [[resource, reason] as const];
    }),
  );
  const kept = listed.filter((each) => !gone.has(each));
  const known = new Set(kept.map((each) => `${groupOf(project, each)}/${each.version}/${each.kind}`));
  const added = crds
    .filter(({ kind }) => hasKindForm(kind))
    .flatMap(({ group, kind, versions, source }) =>
      versions
        .filter(({ name }) => isVersion(name) && !known.has(`${group}/${name}/${kind}`))
        .map(({ name }) => ({ source, resource: bareEntry(project, { group, kind, version: name }) })),
    );
  if (added.length === 0 && gone.size === 0) return { project, readFrom };
  return {
    project: { ...project, resources: [...kept, ...added.map(({ resource }) => resource)] },
    readFrom: [
      ...readFrom,
      ...gone.values(),
      ...added.map(({ resource: { kind, version }, source }) => ({
        what: `${kind} ${version}, which PROJECT does not list`,
        from: source,
      })),
    ],
  };
}

function bareEntry(
  project: ProjectConfig,
  { group, kind, version }: { readonly group: string; readonly kind: string; readonly version: string },
): ProjectResource {
  const parts = splitGroup(group, project);
  return { ...(parts.group === "" ? {} : { group: parts.group }), domain: parts.domain, kind, version };
}

function reasonToRemove(
  project: ProjectConfig,
  resource: ProjectResource,
  { files, crds }: ProjectSources,
): ReadFrom | undefined {
  const { api, core, external, kind, version } = resource;
  if (core === true || external === true) return undefined;
  const crd = crds.find((each) => each.kind === kind && each.group === groupOf(project, resource));
  if (crd !== undefined && !crd.versions.some(({ name }) => name === version))
    return { what: `no ${kind} ${version}: its CRD has no such version`, from: crd.source };
  if (crd !== undefined || crds.length === 0 || (api === undefined && !isBare(resource))) return undefined;
  const why = undefinedType(project, resource, files);
  return why === undefined ? undefined : { what: `no API ${kind} ${version}: ${why.reason}`, from: why.file };
}

// controller-gen makes no CRD of a type without metadata, such as that of a component config, and of one that was removed while PROJECT kept its entry.
function undefinedType(
  project: ProjectConfig,
  resource: ProjectResource,
  files: ProjectSources["files"],
): { readonly reason: string; readonly file: string } | undefined {
  const { kind, path = "" } = resource;
  const recorded = path.startsWith(`${project.repo ?? ""}/`) ? [`${path.slice((project.repo ?? "").length + 1)}/`] : [];
  const folders = new Set([...recorded, ...typeFolders(resource)]);
  let other: string | undefined;
  for (const file of files.paths) {
    if (!file.endsWith(".go") || !folders.has(file.slice(0, file.lastIndexOf("/") + 1))) continue;
    const text = files.read(file) ?? "";
    const body = bodyOf(kind, text);
    if (body !== undefined)
      return body.includes("TypeMeta") && !body.includes("ObjectMeta")
        ? { reason: "its type has no metadata", file }
        : undefined;
    if (text.includes("metav1.ObjectMeta")) other = file;
  }
  return other === undefined ? undefined : { reason: "no type of its version has this name", file: other };
}

function bodyOf(kind: string, text: string): string | undefined {
  const declaration = `\ntype ${kind} struct {`;
  const start = text.indexOf(declaration);
  if (start < 0) return undefined;
  const end = text.indexOf("}", start);
  return text.slice(start + declaration.length, end < 0 ? undefined : end);
}

/**
 * Makes entries of built-in kinds that older versions of kubebuilder recorded as kinds of the project, with a controller alone, entries of the kinds of
 * Kubernetes.
 */
export function withCoreKinds({ project, readFrom }: CompletedProject, crds: readonly CrdFacts[]): CompletedProject {
  const changed: ReadFrom[] = [];
  const resources = (project.resources ?? []).map((resource): ProjectResource => {
    const builtIn = builtInOf(resource, crds);
    const core = builtIn === undefined ? undefined : coreEntry(builtIn);
    if (core === undefined) return resource;
    const { group: _group, domain: _domain, path: _path, plural: _plural, ...kept } = resource;
    changed.push({ what: `${resource.kind} ${resource.version} of Kubernetes`, from: "PROJECT" });
    return { ...kept, ...core };
  });
  if (changed.length === 0) return { project, readFrom };
  return { project: { ...project, resources }, readFrom: [...readFrom, ...changed] };
}

function builtInOf(resource: ProjectResource, crds: readonly CrdFacts[]): BuiltInResource | undefined {
  const { api, core, external, kind, version, path = "" } = resource;
  if (core === true || external === true || api !== undefined) return undefined;
  const group = resource.group === "core" ? "" : (resource.group ?? "");
  const isDefined = crds.some((crd) => crd.kind === kind && (crd.group === group || crd.group.startsWith(`${group}.`)));
  const isOfKubernetes = path === "" || path.startsWith("k8s.io/");
  return isDefined || !isOfKubernetes
    ? undefined
    : nearestOf(
        builtInResources.filter((each) => each.kind === kind && each.version === version),
        resource,
      );
}

// The recorded group may be one of the project, which has controllers only for kinds of Kubernetes then.
function nearestOf(found: readonly BuiltInResource[], resource: ProjectResource): BuiltInResource | undefined {
  const folder = /^k8s\.io\/api\/(?<folder>\w+)\//u.exec(resource.path ?? "")?.groups?.["folder"];
  const ofModule = folder === undefined ? undefined : coreGroupOfModule(folder);
  const group = resource.group === "core" ? "" : (resource.group ?? "");
  const near =
    ofModule === undefined
      ? [group, `${group}.k8s.io`, qualifiedGroupOf(resource), ""]
      : [qualifiedGroupOf({ core: true, ...ofModule })];
  const [only, ...others] = found;
  return (
    near.flatMap((each) => found.find((builtIn) => builtIn.group === each) ?? []).at(0) ??
    (others.length === 0 ? only : undefined)
  );
}

/** Returns the entry of a built-in kind as `create api` and `create webhook` record it; nothing for groups without types of their own. */
export function coreEntry({ group, kind, version }: BuiltInResource): ProjectResource | undefined {
  const name = group === "" ? "core" : group.replace(/\.k8s\.io$/u, "");
  const domain = coreGroupDomain(name);
  const isWhole = qualifiedGroupOf({ core: true, group: name, domain: domain ?? "" }) === group;
  if (domain === undefined || !isWhole) return undefined;
  return { core: true, ...(domain === "" ? {} : { domain }), group: name, kind, version };
}

/**
 * Leaves each controller to one version of its kind: a controller that files were found for belongs to the version that PROJECT records with one, or
 * else to the stored one.
 */
export function withOneController(
  { project, readFrom }: CompletedProject,
  crds: readonly CrdFacts[],
  recorded: readonly ProjectResource[],
): CompletedProject {
  const all = project.resources ?? [];
  const isRecorded = ({ kind, version, group }: ProjectResource): boolean =>
    recorded.some(
      (each) =>
        each.kind === kind && each.version === version && each.group === group && controllerNames(each).length > 0,
    );
  const owners = new Map<string, ProjectResource>();
  const idOf = (resource: ProjectResource): string => `${groupOf(project, resource)}/${resource.kind}`;
  const rank = (resource: ProjectResource): number => {
    const crd = crds.find((each) => each.kind === resource.kind && each.group === groupOf(project, resource));
    const isStored = crd?.versions.some(({ name, storage }) => storage && name === resource.version) === true;
    return (isRecorded(resource) ? 2 : 0) + (isStored ? 1 : 0);
  };
  for (const resource of all.filter((each) => controllerNames(each).length > 0)) {
    const before = owners.get(idOf(resource));
    if (before === undefined || rank(resource) > rank(before)) owners.set(idOf(resource), resource);
  }
  const resources = all.map((resource): ProjectResource => {
    if (isRecorded(resource) || owners.get(idOf(resource)) === resource) return resource;
    const { controller: _one, controllers: _several, ...others } = resource;
    return others;
  });
  return { project: project.resources === undefined ? project : { ...project, resources }, readFrom };
}
