import { asList, isRecord } from "@kubescaffold/platform";

import type { FileTree } from "../machinery/file-tree.ts";
import { PROJECT_FILE, type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { namesOf, typesFile } from "../project/resource-names.ts";
import { type Definition, definitionsIn, readableDocuments } from "./definitions.ts";
import type { Finding } from "./project-files.ts";

/** A project, and what its sources generate. */
interface NamedProject {
  readonly tree: FileTree;
  readonly project: ProjectConfig;
  readonly generated: readonly { readonly path: string; readonly content: string }[];
}

/**
 * Compares the kinds that PROJECT records, and the resources that roles and webhooks name, with the CRDs of the sources: the plural, which all of them
 * repeat, and the versions.
 */
export function diagnoseKindNames(named: NamedProject): readonly Finding[] {
  const { tree, project, generated } = named;
  const definitions = generated
    .filter(({ path }) => path.endsWith(".yaml"))
    .flatMap(({ content }) => definitionsIn(content));
  const own = (project.resources ?? []).filter((each) => each.api !== undefined && each.core !== true);
  const plurals = pluralsByGroup(definitions, project);
  return [
    ...own.flatMap((each) => differences(each, { tree, project, definitions })),
    ...granted(named).flatMap(({ path, resources }) => unknownResources({ tree, path, resources, plurals })),
  ];
}

function differences(
  resource: ProjectResource,
  { tree, project, definitions }: Omit<NamedProject, "generated"> & { readonly definitions: readonly Definition[] },
): readonly Finding[] {
  const { kind, version } = resource;
  const group = qualifiedGroupOf(resource);
  const file = typesFile(project, resource);
  const definition = definitions.find((each) => each.kind === kind && each.group === group);
  // The file is reported as a missing one.
  if (!tree.exists(file)) return [];
  if (definition?.versions.some(({ name }) => name === version) !== true) {
    const message = `PROJECT records ${kind} of ${group}/${version}, but the sources define no such kind`;
    const hint = `put +kubebuilder:object:root=true above the type and extend KubernetesObject, or run scaffold delete api --group ${resource.group ?? ""} --version ${version} --kind ${kind}`;
    return [{ severity: "error", path: file, message, hint }];
  }
  const { plural } = namesOf(project, resource);
  if (plural === definition.plural) return [];
  return [
    {
      severity: "error",
      path: PROJECT_FILE,
      message: `the plural of ${kind} of ${group} is ${plural} in PROJECT, and ${definition.plural} in its CRD`,
      hint: `put +kubebuilder:resource:path=${plural} above the type, or set plural: ${definition.plural} in PROJECT; objects of a CRD that was installed are lost with its name`,
    },
  ];
}

function pluralsByGroup(
  definitions: readonly Definition[],
  project: ProjectConfig,
): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { group, plural } of definitions) groups.set(group, (groups.get(group) ?? new Set()).add(plural));
  // Other kinds of the group, whose CRDs another project has.
  for (const resource of project.resources ?? []) {
    if (resource.api === undefined) groups.get(qualifiedGroupOf(resource))?.add(namesOf(project, resource).plural);
  }
  return groups;
}

interface NamedResources {
  readonly path: string;
  readonly resources: readonly { readonly group: string; readonly resource: string }[];
}

const NAMING = new Set(["Role", "ClusterRole", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);

// Files that are generated count as they would be written.
function granted({ tree, generated }: NamedProject): readonly NamedResources[] {
  const texts = new Map(
    ["config/rbac", "config/webhook"]
      .flatMap((folder) => tree.filesBelow(folder))
      .filter((path) => /\.ya?ml$/u.test(path))
      .map((path) => [path, tree.read(path) ?? ""]),
  );
  for (const { path, content } of generated) if (path.endsWith(".yaml")) texts.set(path, content);
  return [...texts].map(([path, text]) => ({
    path,
    resources: readableDocuments(text).flatMap((each) => resourcesIn(each)),
  }));
}

function resourcesIn(document: unknown): NamedResources["resources"] {
  if (!isRecord(document) || typeof document["kind"] !== "string" || !NAMING.has(document["kind"])) return [];
  const rules = [document["rules"], ...asList(document["webhooks"]).map((each) => isRecord(each) && each["rules"])];
  return rules
    .flatMap((each) => asList(each))
    .filter((each) => isRecord(each))
    .flatMap(({ apiGroups, resources }) =>
      textsOf(apiGroups).flatMap((group) => textsOf(resources).map((resource) => ({ group, resource }))),
    );
}

function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
}

function unknownResources({
  tree,
  path,
  resources,
  plurals,
}: NamedResources & {
  readonly tree: FileTree;
  readonly plurals: ReadonlyMap<string, ReadonlySet<string>>;
}): readonly Finding[] {
  const unknown = resources.flatMap(({ group, resource }) => {
    const [plural = ""] = resource.split("/");
    const known = plurals.get(group);
    return known === undefined || plural.includes("*") || known.has(plural) ? [] : [{ group, plural, known }];
  });
  const distinct = new Map(unknown.map((each) => [`${each.group}/${each.plural}`, each]));
  return [...distinct.values()].map(({ group, plural, known }): Finding => {
    const message = `it names ${plural} of ${group}, which no CRD of the project defines`;
    const instead = `use one of ${[...known].toSorted().join(", ")}`;
    const marker = markerNaming(tree, plural);
    return marker === undefined
      ? { severity: "error", path, message, hint: instead }
      : { severity: "error", ...marker, message, hint: `${instead}, and run npm run manifests` };
  });
}

// Most of these manifests are generated from markers.
function markerNaming(tree: FileTree, plural: string): Pick<Finding, "path" | "line"> | undefined {
  for (const path of tree.files()) {
    if (!path.endsWith(".ts")) continue;
    const lines = (tree.read(path) ?? "").split("\n");
    const index = lines.findIndex((line) => isMarkerNaming(line, plural));
    if (index !== -1) return { path, line: index + 1 };
  }
  return undefined;
}

function isMarkerNaming(line: string, plural: string): boolean {
  const words = /\+kubebuilder:(?:rbac|webhook):(?<words>.*)/u.exec(line)?.groups?.["words"];
  const named = /(?:^|,)resources=(?<names>[^,]*)/u.exec(words ?? "")?.groups?.["names"];
  return named?.split(";").some((each) => each.split("/", 1)[0]?.replaceAll(/["{}]/gu, "").trim() === plural) === true;
}
