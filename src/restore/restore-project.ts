import { SUPPORTED_MINORS, type KubernetesMinor, UNRECORDED_MINOR } from "@kubescaffold/k8s";

import type { FileTree } from "../machinery/file-tree.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { withCertificateIssuer } from "../project/certificates.ts";
import { KUBERNETES_KEY, withKubernetesVersion } from "../project/kubernetes-version.ts";
import { leaderElectionIdOf } from "../project/leader-election-id.ts";
import { detectPackageManager, withPackageManager } from "../project/package-manager.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../project/project-config.ts";
import { withRestoredPlugins } from "./kubectl-plugins.ts";
import { hasGroupFolders, ownKinds } from "./own-kinds.ts";
import { controllerEntries, controllerFiles, controllerNameOf, webhookEntries, webhookFiles } from "./parts.ts";
import { readJsonObject } from "./source-facts.ts";
import { subjectOf, type SubjectContext } from "./subjects.ts";

/** What is known before the files are read. */
export interface RestoreOptions {
  /** The keys of the plugins of a new project. */
  readonly layout: readonly string[];
  /** The plugins whose files are looked for. */
  readonly plugins: readonly Plugin[];
  /** The version of this program. */
  readonly version: string;
  /** The name of the project's folder. */
  readonly folder: string;
}

/** A project as its files show it. */
export interface RestoredProject {
  readonly project: ProjectConfig;
  /** What the files do not show, with the guess that the project contains. */
  readonly unknown: readonly string[];
}

/**
 * Restores what PROJECT recorded from the other files of a project.
 *
 * Guarantees: nothing is generated or changed; what the files do not show is in `unknown`.
 */
export function restoreProject(tree: FileTree, options: RestoreOptions): RestoredProject {
  const settings = settingsOf(tree, options);
  const { project: own, unknown } = withResources(tree, settings.project);
  const project = withRestoredPlugins(tree, own);
  const plugins = options.plugins.flatMap((plugin) => {
    const data = plugin.restoreConfiguration?.({ tree, project });
    return data === undefined ? [] : [[plugin.key, data] as const];
  });
  return {
    project:
      plugins.length === 0 ? project : { ...project, plugins: { ...project.plugins, ...Object.fromEntries(plugins) } },
    unknown: [...settings.unknown, ...unknown, ...ALWAYS_UNKNOWN],
  };
}

const ALWAYS_UNKNOWN = [
  "layout: external plugins, which leave no common trace (assumed: none)",
  "plugins: the generator options of `edit --generator-options` (assumed: none)",
  "plugins: the versions that `create api --from` copied (assumed: none)",
  "comments and keys that you added to PROJECT, and the order of its resources",
];

function settingsOf(tree: FileTree, { layout, version, folder }: RestoreOptions): RestoredProject {
  const unknown: string[] = [];
  const known = <T>(key: string, value: T | undefined, guess: T): T => {
    if (value === undefined) unknown.push(`${key} (guessed: ${JSON.stringify(guess)})`);
    return value ?? guess;
  };
  const manifest = readJsonObject(tree.read("package.json"));
  const projectName = known("projectName", prefixIn(tree), folder);
  const { name } = manifest;
  const repo = known("repo", typeof name === "string" && name !== "" ? name : undefined, projectName);
  const domain = known("domain", domainOf(tree, repo), domainOfGroups(tree));
  const isMultigroup = known("multigroup", hasGroupFolders(tree) ?? groupFoldersOfParts(tree), false);
  const cliVersion = known("cliVersion", recordedVersion(manifest), version);
  const isNamespaced = (tree.read("config/manager/manager.yaml") ?? "").includes("- name: WATCH_NAMESPACE");
  const project: ProjectConfig = {
    cliVersion,
    ...(domain === "" ? {} : { domain }),
    layout,
    ...(isMultigroup ? { multigroup: true } : {}),
    ...(isNamespaced ? { namespaced: true } : {}),
    projectName,
    repo,
    version: "3",
  };
  const packageManager = detectPackageManager({ read: (file) => tree.read(file), exists: (file) => tree.exists(file) });
  const isSelfManaged = (tree.read("cmd/main.ts") ?? "").includes("selfManagedFromEnv(");
  const issuer = isSelfManaged ? "self-managed" : "cert-manager";
  const minor = known(KUBERNETES_KEY, kubernetesMinorIn(tree), UNRECORDED_MINOR);
  const recorded = withKubernetesVersion(withPackageManager(project, packageManager), minor);
  return { project: withCertificateIssuer(recorded, issuer), unknown };
}

// The generated schemas import the structs of the version, and the development container has its kubectl.
function kubernetesMinorIn(tree: FileTree): KubernetesMinor | undefined {
  const schemas = tree.filesBelow("api").filter((file) => file.endsWith("/zz_generated.schema.ts"));
  const texts = [
    ...schemas.map((file) => /@kubescaffold\/schema\/structs\/(?<minor>1\.\d+)"/u.exec(tree.read(file) ?? "")),
    /kubectl[^{]*\{\s*"version": "(?<minor>1\.\d+)\./u.exec(tree.read(".devcontainer/devcontainer.json") ?? ""),
  ];
  const found = texts.find((match) => match !== null)?.groups?.["minor"];
  return SUPPORTED_MINORS.find((minor) => minor === found);
}

function prefixIn(tree: FileTree): string | undefined {
  const text = tree.read("config/default/kustomization.yaml") ?? "";
  return /^namePrefix: *["']?(?<prefix>[^\s"']+)-["']? *$/mu.exec(text)?.groups?.["prefix"];
}

// The id is a hash of the repo, and the domain; another one was written by hand.
function domainOf(tree: FileTree, repo: string): string | undefined {
  const id = /leaderElectionId: "(?<id>[^"]*)"/u.exec(tree.read("cmd/main.ts") ?? "")?.groups?.["id"];
  const domain = id?.replace(/^[0-9a-f]{8}\.?/u, "");
  return id !== undefined && leaderElectionIdOf({ repo, ...(domain === undefined ? {} : { domain }) }) === id
    ? domain
    : undefined;
}

function domainOfGroups(tree: FileTree): string {
  const [group = ""] = tree
    .filesBelow("api")
    .filter((file) => file.endsWith("/groupversion_info.ts"))
    .flatMap((file) => /\+groupName=(?<name>[^\s"]+)/u.exec(tree.read(file) ?? "")?.groups?.["name"] ?? []);
  return group.split(".").slice(1).join(".");
}

function groupFoldersOfParts(tree: FileTree): boolean | undefined {
  const [controller] = controllerFiles(tree);
  if (controller !== undefined) return controller.split("/").length === 4;
  const [webhook] = webhookFiles(tree);
  return webhook === undefined ? undefined : webhook.split("/").length === 5;
}

// A path or a tarball does not contain the version.
function recordedVersion({ devDependencies }: Readonly<Record<string, unknown>>): string | undefined {
  const spec = (devDependencies as Readonly<Record<string, unknown>> | undefined)?.["kubescaffold"];
  if (typeof spec !== "string") return undefined;
  return /^[\^~]?(?<version>\d+\.\d+\.\d+(?:-[\w.]+)?)$/u.exec(spec)?.groups?.["version"];
}

function withResources(tree: FileTree, settings: ProjectConfig): RestoredProject {
  const { repo = "", domain = "" } = settings;
  const kinds = ownKinds(tree, { repo, domain });
  const context: SubjectContext = { tree, kinds, domain, isMultigroup: settings.multigroup === true };
  const unknown: string[] = [];
  let project = kinds.reduce((before, { resource }) => withResource(before, resource), settings);
  const add = (file: string, change: (resource: ProjectResource) => ProjectResource): void => {
    const subject = subjectOf(file, context);
    if (subject === undefined) {
      unknown.push(`the kind of ${file}, which is not recorded`);
      return;
    }
    unknown.push(...subject.doubts);
    const { group, version, kind, domain: own } = subject.resource;
    const known = (project.resources ?? []).find(
      (each) => each.group === group && each.version === version && each.kind === kind && each.domain === own,
    );
    project = withResource(project, change(known ?? subject.resource));
  };
  for (const file of controllerFiles(tree)) add(file, (resource) => withController(resource, controllerNameOf(file)));
  for (const file of webhookFiles(tree))
    add(file, (resource) => ({ ...resource, webhooks: webhookEntries(tree, file, resource) }));
  return { project, unknown: [...new Set(unknown)] };
}

function withController(resource: ProjectResource, name: string): ProjectResource {
  const { controller, controllers, ...others } = resource;
  const before = controllers?.map((each) => each.name) ?? (controller === true ? [resource.kind.toLowerCase()] : []);
  return { ...others, ...controllerEntries(resource.kind, [...before, name]) };
}
