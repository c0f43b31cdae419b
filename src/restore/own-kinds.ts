import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectApi, ProjectResource } from "../project/project-config.ts";
import { pluralOf } from "../project/resource-names.ts";
import { definedKinds, markerArguments } from "./source-facts.ts";

/** A kind whose types are in the project. */
export interface OwnKind {
  /** The path of its types. */
  readonly file: string;
  readonly resource: ProjectResource;
}

const TYPES = /^api\/(?:(?<group>[^/]+)\/)?(?<version>v[^/]*)\/(?<kind>[^/]+)_types\.ts$/u;

/** Reports whether the types of a project are in folders of their groups; nothing for a project without types. */
export function hasGroupFolders(tree: FileTree): boolean | undefined {
  const [first] = typesFiles(tree);
  return first === undefined ? undefined : first.folder !== undefined;
}

/** Returns the kinds that the files in `api` define, in the order of their samples. */
export function ownKinds(
  tree: FileTree,
  { repo, domain }: { readonly repo: string; readonly domain: string },
): readonly OwnKind[] {
  const samples = (tree.read("config/samples/kustomization.yaml") ?? "").split("\n");
  const found = typesFiles(tree).flatMap((types) => {
    const text = tree.read(types.file) ?? "";
    const kind = definedKinds(text).find((each) => each.kind.toLowerCase() === types.kindLower)?.kind;
    const qualified = groupNameOf(tree, types.file);
    if (kind === undefined || qualified === undefined) return [];
    const { version, folder, file } = types;
    const sample = sampleOf(tree, { version, kindLower: types.kindLower, qualified });
    const group = folder ?? sample?.group ?? groupWithin(qualified, domain);
    const own = group === "" ? qualified : qualified.slice(group.length + 1);
    const { plural, api } = declared(text);
    const resource: ProjectResource = {
      api,
      ...(own === "" ? {} : { domain: own }),
      ...(group === "" ? {} : { group }),
      kind,
      path: `${repo}/${file.slice(0, file.lastIndexOf("/"))}`,
      ...(plural === undefined || plural === pluralOf(kind) ? {} : { plural }),
      version,
    };
    return [{ file, resource, place: sample === undefined ? -1 : samples.indexOf(`- ${sample.name}`) }];
  });
  return found
    .toSorted((left, right) => left.place - right.place)
    .map(({ file, resource }): OwnKind => ({ file, resource }));
}

interface TypesFile {
  readonly file: string;
  readonly folder: string | undefined;
  readonly version: string;
  readonly kindLower: string;
}

function typesFiles(tree: FileTree): readonly TypesFile[] {
  return tree.filesBelow("api").flatMap((file) => {
    const groups = TYPES.exec(file)?.groups;
    if (groups === undefined || groupNameOf(tree, file) === undefined) return [];
    return [{ file, folder: groups["group"], version: groups["version"] ?? "", kindLower: groups["kind"] ?? "" }];
  });
}

function groupNameOf(tree: FileTree, file: string): string | undefined {
  const info = tree.read(`${file.slice(0, file.lastIndexOf("/"))}/groupversion_info.ts`) ?? "";
  return /\+groupName=(?<name>[^\s"]+)/u.exec(info)?.groups?.["name"];
}

// The name of a sample contains the group without its domain.
function sampleOf(
  tree: FileTree,
  {
    version,
    kindLower,
    qualified,
  }: { readonly version: string; readonly kindLower: string; readonly qualified: string },
): { readonly name: string; readonly group: string } | undefined {
  const end = `${version}_${kindLower}.yaml`;
  return tree
    .filesBelow("config/samples")
    .map((file) => file.slice("config/samples/".length))
    .filter((name) => name === end || name.endsWith(`_${end}`))
    .map((name) => ({ name, group: name.slice(0, -end.length).replace(/_$/u, "") }))
    .find(({ group }) => group === "" || qualified === group || qualified.startsWith(`${group}.`));
}

/** Returns the group of a full group name without its domain: the project's domain, else all labels except for the first. */
export function groupWithin(qualified: string, domain: string): string {
  if (domain !== "" && qualified === domain) return "";
  if (domain !== "" && qualified.endsWith(`.${domain}`)) return qualified.slice(0, -domain.length - 1);
  return domain === "" ? qualified : (qualified.split(".")[0] ?? "");
}

function declared(text: string): { readonly plural: string | undefined; readonly api: ProjectApi } {
  const resources = markerArguments(text, "kubebuilder:resource");
  const valueOf = (name: string): string | undefined => resources.find((each) => each[name] !== undefined)?.[name];
  const isCluster = valueOf("scope") === "Cluster";
  const usesApply = markerArguments(text, "kubebuilder:ac").some((each) => each["generate"] === "true");
  return {
    plural: valueOf("path"),
    api: { crdVersion: "v1", ...(isCluster ? {} : { namespaced: true }), ...(usesApply ? { ssa: true } : {}) },
  };
}
