import { isRecord } from "@kubescaffold/platform";

import type { FileTree } from "../machinery/file-tree.ts";
import { coreGroupOfModule } from "../project/core-groups.ts";
import type { ProjectResource } from "../project/project-config.ts";
import { groupWithin, type OwnKind } from "./own-kinds.ts";
import { builtFor, definedKinds, importedFile, markerArguments, namedImports, readJsonObject } from "./source-facts.ts";

/** What the subjects of controllers and webhooks are looked up in. */
export interface SubjectContext {
  readonly tree: FileTree;
  readonly kinds: readonly OwnKind[];
  readonly domain: string;
  readonly isMultigroup: boolean;
}

/** The entry of a kind without its controllers and webhooks. */
export interface Subject {
  readonly resource: ProjectResource;
  /** What of it is a guess. */
  readonly doubts: readonly string[];
}

/** Returns the kind that a file with a controller or a webhook is for: one of the project, of Kubernetes, or of an external module. */
export function subjectOf(file: string, context: SubjectContext): Subject | undefined {
  const text = context.tree.read(file) ?? "";
  const alias = builtFor(text);
  const found = namedImports(text).find((each) => each.alias === alias);
  if (found === undefined) return undefined;
  const { name: kind, module } = found;
  const target = importedFile(file, module);
  const own = context.kinds.find((each) => each.file === target && each.resource.kind === kind);
  if (own !== undefined) return { resource: own.resource, doubts: [] };
  return coreSubject(kind, module) ?? externalSubject({ file, text, kind, module, target }, context);
}

const CORE = /^@kubescaffold\/k8s\/(?<group>[^/]+)\/(?<version>[^/]+)$/u;

function coreSubject(kind: string, module: string): Subject | undefined {
  const { group: folder, version = "" } = CORE.exec(module)?.groups ?? {};
  const found = folder === undefined ? undefined : coreGroupOfModule(folder);
  if (found === undefined) return undefined;
  const { group, domain } = found;
  const resource = { core: true, ...(domain === "" ? {} : { domain }), group, kind, path: module, version };
  return { resource, doubts: [] };
}

interface ExternalFile {
  readonly file: string;
  readonly text: string;
  readonly kind: string;
  readonly module: string;
  readonly target: string | undefined;
}

function externalSubject(external: ExternalFile, context: SubjectContext): Subject | undefined {
  const { file, kind, module, target } = external;
  const gvk = gvkOfExternal(external, context);
  if (gvk === undefined) return undefined;
  const folder = context.isMultigroup ? /^internal\/(?:controller|webhook)\/(?<group>[^/]+)\//u.exec(file) : null;
  const group = folder?.groups?.["group"] ?? groupWithin(gvk.group, context.domain);
  const domain = gvk.group.slice(group.length + 1);
  const added = target === undefined ? addedPackage(context.tree, module) : undefined;
  const resource = {
    ...(domain === "" ? {} : { domain }),
    external: true,
    group,
    kind,
    ...(added === undefined ? {} : { module: added }),
    path: target === undefined ? module : `./${target}`,
    version: gvk.version,
  };
  const name = `${kind} of ${gvk.group}/${gvk.version}`;
  return {
    resource,
    doubts: [
      ...(folder === null ? [`${name}: which part of its group is the domain (guessed: "${domain}")`] : []),
      ...(added === undefined ? [] : [`${name}: whether \`module\` was recorded (guessed: ${added})`]),
    ],
  };
}

// The types of an external kind define its group and version; for those in a package, its marker does.
function gvkOfExternal(
  { file, text, kind, module, target }: ExternalFile,
  { tree }: SubjectContext,
): { readonly group: string; readonly version: string } | undefined {
  const types = target === undefined ? "" : (tree.read(target) ?? "");
  const defined = definedKinds(types).find((each) => each.kind === kind);
  if (defined?.group !== undefined && defined.version !== undefined)
    return { group: defined.group, version: defined.version };
  const [webhook] = markerArguments(text, "kubebuilder:webhook");
  const [rule] = markerArguments(text, "kubebuilder:rbac");
  const group = webhook?.["groups"] ?? rule?.["groups"];
  const folder = /^internal\/webhook\/(?:[^/]+\/)?(?<version>v[^/]+)\//u.exec(file)?.groups?.["version"];
  const version =
    folder ?? /(?:^|[/_.-])(?<version>v\d+(?:(?:alpha|beta)\d+)?)(?=$|[/_.])/u.exec(module)?.groups?.["version"];
  return group === undefined || version === undefined ? undefined : { group, version };
}

function addedPackage(tree: FileTree, module: string): string | undefined {
  const name = /^(?:@[^/]+\/)?[^/]+/u.exec(module)?.[0] ?? module;
  const { dependencies } = readJsonObject(tree.read("package.json"));
  const version = isRecord(dependencies) ? dependencies[name] : undefined;
  if (typeof version !== "string") return undefined;
  return version === "latest" ? name : `${name}@${version}`;
}
