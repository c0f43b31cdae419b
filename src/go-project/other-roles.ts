import path from "node:path";

import type { Schema } from "@kubescaffold/generators/importer";
import { printYaml, readYaml, readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { FileTree } from "../machinery/file-tree.ts";
import { insertAtMarker } from "../machinery/insertion-points.ts";
import { grants } from "./compare-manifests.ts";
import type { GoFiles } from "./go-files.ts";
import { documentsIn, type RoleFacts, textOf, textsOf } from "./manifest-facts.ts";
import { findManifests } from "./manifest-places.ts";
import type { NotMapped } from "./plan-project.ts";

const FOLDER = "config/rbac";
const LIST = `${FOLDER}/kustomization.yaml`;
const ROLE_KINDS = new Set(["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ServiceAccount"]);
const ACCOUNT = "controller-manager";

/**
 * Copies the roles of a Go project that no generator made, with their bindings and service accounts: those that the kustomizations beside its
 * generated role and its webhooks list.
 *
 * Guarantees: roles of users of an API replace the scaffolded ones of the same name; the role for metrics is that of the scaffold, and so is the role
 * for leader election, with the further rules of the Go project; bindings to the accounts of its Deployments bind that of the new manager, and no
 * binding refers to a role that does not exist.
 */
export function copyRoles(files: GoFiles, roles: readonly RoleFacts[], tree: FileTree): readonly NotMapped[] {
  if (!tree.exists(LIST)) return [];
  bindGeneratedRole(roles, tree);
  extendLeaderElection(files, tree);
  const accounts = accountsOf(files);
  const found = roleFiles(files);
  const known = new Map(
    tree
      .files()
      .filter((file) => file.startsWith(`${FOLDER}/`) && file !== LIST)
      .flatMap((file) => objectsIn(tree.read(file) ?? "", file).map((each) => [idOf(each), file] as const)),
  );
  for (const { name, namespace } of roles)
    known.set(namespace === "" ? `ClusterRole/${name}` : `Role/${name}`, "role.yaml");
  // Roles come first, so that their bindings find them.
  const sorted = found.toSorted((left, right) => Number(left.isBinding) - Number(right.isBinding));
  return sorted.flatMap(({ file, name, text, objects }): readonly NotMapped[] => {
    const own = objects.filter((each) => !isAccount(each, accounts));
    if (own.length === 0) return [];
    const [first] = own.flatMap((each) => known.get(idOf(each)) ?? []);
    if (first !== undefined) return replaceUserRole(tree, { target: first, text, isSingle: own.length === 1 });
    const target = `${FOLDER}/${name}`;
    if (tree.exists(target) || bindsManagerAgain(own, accounts, roles)) return [];
    const lost = own.find((each) => isBinding(each) && !known.has(referenceOf(each)));
    if (lost !== undefined)
      return [
        { what: file, why: `it binds ${referenceOf(lost).replace("/", " ")}, which the new project does not have` },
      ];
    const isSame = own.length === objects.length && !own.some((each) => bindsAccount(each, accounts));
    tree.create(target, isSame ? text : printed(own, accounts));
    tree.update(LIST, (list) =>
      insertAtMarker(list, { path: LIST, marker: "rbackustomizeresource", lines: [`- ${name}`] }),
    );
    for (const each of own) known.set(idOf(each), target);
    return [];
  });
}

interface RoleFile {
  readonly file: string;
  /** The name of the file in the new project. */
  readonly name: string;
  readonly text: string;
  readonly objects: readonly Schema[];
  readonly isBinding: boolean;
}

function roleFiles(files: GoFiles): readonly RoleFile[] {
  const { role, webhooks } = findManifests(files);
  return [
    ...roleFilesIn(files, path.posix.dirname(role), "").filter(({ file }) => file !== role),
    ...roleFilesIn(files, path.posix.dirname(webhooks), "webhook_"),
  ];
}

function roleFilesIn(files: GoFiles, folder: string, prefix: string): readonly RoleFile[] {
  return filesListedIn(files, folder).flatMap((file): readonly RoleFile[] => {
    const name = path.posix.basename(file);
    if (!isCopied(name)) return [];
    const text = files.read(file) ?? "";
    const objects = objectsIn(text, file);
    if (objects.length === 0 || objects.some((each) => !ROLE_KINDS.has(textOf(each["kind"])))) return [];
    return [{ file, name: prefix + name, text, objects, isBinding: objects.some((each) => isBinding(each)) }];
  });
}

// All of them if the folder has no kustomization.
function filesListedIn(files: GoFiles, folder: string): readonly string[] {
  const list = files.read(`${folder}/kustomization.yaml`);
  const document: unknown = list === undefined ? undefined : readYaml(list, { file: `${folder}/kustomization.yaml` });
  const listed = isRecord(document) ? textsOf(document["resources"]) : undefined;
  return files.paths.filter((file) => {
    const name = path.posix.basename(file);
    const isListed = listed?.some((each) => path.posix.normalize(each) === name) ?? /\.ya?ml$/u.test(name);
    return path.posix.dirname(file) === folder && isListed;
  });
}

const LEADER_ELECTION = `${FOLDER}/leader_election_role.yaml`;

// The manager may record other events, or keep more than a lease.
function extendLeaderElection(files: GoFiles, tree: FileTree): void {
  if (!tree.exists(LEADER_ELECTION)) return;
  const own = objectsIn(tree.read(LEADER_ELECTION) ?? "", LEADER_ELECTION).flatMap((each) => rulesOf(each));
  const wanted = documentsIn(files, LEADER_ELECTION).flatMap((each) =>
    isRecord(each) && each["kind"] === "Role" ? rulesOf(each) : [],
  );
  const missing = wanted.filter((rule) => !grants(own, rule));
  if (missing.length > 0) tree.update(LEADER_ELECTION, (text) => `${text.trimEnd()}\n${printYaml(missing)}`);
}

function rulesOf(role: Schema): readonly Schema[] {
  const rules: readonly unknown[] = Array.isArray(role["rules"]) ? role["rules"] : [];
  return rules.filter((rule): rule is Schema => isRecord(rule));
}

// The scaffold has its own roles for the endpoint of the metrics and for leader election.
function isCopied(name: string): boolean {
  return (
    /^[\w.-]+\.ya?ml$/u.test(name) && !/^(?:kustomization\.|auth_proxy_|metrics_|leader_election_role)/u.test(name)
  );
}

function objectsIn(text: string, file: string): readonly Schema[] {
  return readYamlDocuments(text, { file }).filter((each): each is Schema => isRecord(each));
}

function nameOf(object: Schema): string {
  return isRecord(object["metadata"]) ? textOf(object["metadata"]["name"]) : "";
}

function idOf(object: Schema): string {
  return `${textOf(object["kind"])}/${nameOf(object)}`;
}

function isBinding(object: Schema): boolean {
  return textOf(object["kind"]).endsWith("Binding");
}

function referenceOf(object: Schema): string {
  const reference = isRecord(object["roleRef"]) ? object["roleRef"] : {};
  return `${textOf(reference["kind"])}/${textOf(reference["name"])}`;
}

function isAccount(object: Schema, accounts: Accounts): boolean {
  return object["kind"] === "ServiceAccount" && (accounts.has(nameOf(object)) || nameOf(object) === ACCOUNT);
}

function isManager(subject: unknown, accounts: Accounts): boolean {
  return isRecord(subject) && subject["kind"] === "ServiceAccount" && accounts.has(textOf(subject["name"]));
}

function bindsAccount(object: Schema, accounts: Accounts): boolean {
  const subjects: readonly unknown[] = Array.isArray(object["subjects"]) ? object["subjects"] : [];
  return subjects.some((each) => isManager(each, accounts) && textOf((each as Schema)["name"]) !== ACCOUNT);
}

// The scaffold binds the generated roles to the account of the manager.
function bindsManagerAgain(objects: readonly Schema[], accounts: Accounts, roles: readonly RoleFacts[]): boolean {
  const [only, ...others] = roles.filter(({ namespace }) => namespace === "");
  return objects.every((each) => {
    const subjects: readonly unknown[] = Array.isArray(each["subjects"]) ? each["subjects"] : [];
    return (
      each["kind"] === "ClusterRoleBinding" &&
      others.length === 0 &&
      referenceOf(each) === `ClusterRole/${only?.name ?? ""}` &&
      subjects.every((subject) => isManager(subject, accounts))
    );
  });
}

function printed(objects: readonly Schema[], accounts: Accounts): string {
  return objects
    .map((object) => {
      if (!Array.isArray(object["subjects"])) return object;
      const subjects = (object["subjects"] as readonly unknown[]).map((subject) =>
        isManager(subject, accounts) ? { ...(subject as Schema), name: ACCOUNT, namespace: "system" } : subject,
      );
      return { ...object, subjects };
    })
    .map((object) => printYaml(object))
    .join("---\n");
}

type Accounts = ReadonlySet<string>;

// The accounts of the Deployments, which are one in the new project; that of the namespace where a Deployment names none. A Deployment may name its
// account as it is deployed, with the prefix that bindings do not have.
function accountsOf(files: GoFiles): Accounts {
  const [base] = documentsIn(files, "config/default/kustomization.yaml");
  const prefix = isRecord(base) ? textOf(base["namePrefix"]) : "";
  const webhooks = path.posix.dirname(findManifests(files).webhooks);
  const found = ["config/manager/manager.yaml", ...filesListedIn(files, webhooks)]
    .flatMap((file) => documentsIn(files, file))
    .flatMap((document) => {
      if (!isRecord(document) || document["kind"] !== "Deployment") return [];
      const spec = isRecord(document["spec"]) ? document["spec"] : {};
      const template = isRecord(spec["template"]) ? spec["template"] : {};
      const pod = isRecord(template["spec"]) ? template["spec"] : {};
      const name = textOf(pod["serviceAccountName"]) || "default";
      return name.startsWith(prefix) && name !== prefix ? [name, name.slice(prefix.length)] : [name];
    });
  return new Set(found.length === 0 ? [ACCOUNT] : found);
}

const USER_ROLE = /_(?:admin|editor|viewer)_role\.yaml$/u;

function replaceUserRole(
  tree: FileTree,
  { target, text, isSingle }: { readonly target: string; readonly text: string; readonly isSingle: boolean },
): readonly NotMapped[] {
  if (isSingle && USER_ROLE.test(target)) tree.update(target, () => text);
  return [];
}

const BINDING = `${FOLDER}/role_binding.yaml`;

// The role that the markers of the Go project name.
function bindGeneratedRole(roles: readonly RoleFacts[], tree: FileTree): void {
  const names = roles.filter(({ namespace }) => namespace === "").map(({ name }) => name);
  const [only = "", ...others] = names;
  if (others.length > 0 || only === "" || only === "manager-role" || !/^[\w.:-]+$/u.test(only)) return;
  if (!tree.exists(BINDING)) return;
  tree.update(BINDING, (text) =>
    text.replace(/^(?<indent> {2}name: )manager-role$/mu, (_, indent: string) => indent + only),
  );
}
