import { readFile } from "node:fs/promises";
import path from "node:path";

import { messageOf, ScaffoldError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

/** The objects that an operator needs before its manager runs, as in `config/default`, without the Deployment. */
export interface OperatorManifests {
  /** The namespace of the operator. */
  readonly namespace: string;
  /** The prefix of the names in `config/default`; empty without one. */
  readonly namePrefix: string;
  /** The service account of the manager. */
  readonly serviceAccountName: string;
  /** The service account, roles, and bindings of `config/rbac`, with their final names. */
  readonly rbac: readonly KubernetesObject[];
  /** The files in `config/rbac` of these objects, in the same order. */
  readonly rbacFiles: readonly string[];
}

const CLUSTER_SCOPED = new Set(["ClusterRole", "ClusterRoleBinding", "Namespace"]);

/**
 * Reads `config/rbac` of a project and sets names and namespaces like kustomize does for `config/default`, or for another namespace.
 *
 * Fails: {@link NotAnOperatorError} when a manifest is missing or invalid.
 */
export async function readOperatorManifests(projectDirectory: string, namespace?: string): Promise<OperatorManifests> {
  const settings = await readKustomization(path.join(projectDirectory, "config", "default"));
  const rbacFolder = path.join(projectDirectory, "config", "rbac");
  const { resources = [] } = await readKustomization(rbacFolder);
  const read = await Promise.all(
    resources.map(async (file) => (await readObjects(path.join(rbacFolder, file))).map((object) => ({ file, object }))),
  );
  const objects = read.flat().map(({ object }) => object);
  const naming: Naming = {
    prefix: settings.namePrefix ?? "",
    namespace: namespace ?? settings.namespace ?? "default",
    renamed: new Set(objects.map((object) => `${object.kind}/${object.metadata.name ?? ""}`)),
  };
  const rbac = objects.map((object) => rename(object, naming));
  const account = rbac.find(({ kind }) => kind === "ServiceAccount");
  return {
    namespace: naming.namespace,
    namePrefix: naming.prefix,
    serviceAccountName: account?.metadata.name ?? "default",
    rbac,
    rbacFiles: read.flat().map(({ file }) => file),
  };
}

interface Kustomization {
  readonly namePrefix?: string;
  readonly namespace?: string;
  readonly resources?: readonly string[];
}

async function readKustomization(folder: string): Promise<Kustomization> {
  const [document] = await readDocuments(path.join(folder, "kustomization.yaml"));
  return document ?? {};
}

async function readObjects(file: string): Promise<readonly KubernetesObject[]> {
  return (await readDocuments(file)) as readonly KubernetesObject[];
}

async function readDocuments(file: string): Promise<readonly unknown[]> {
  try {
    return readYamlDocuments(await readFile(file, "utf8"), { file }).filter((document) => document !== null);
  } catch (error) {
    throw new NotAnOperatorError(file, error);
  }
}

interface Naming {
  readonly prefix: string;
  readonly namespace: string;
  /** `Kind/name` of the objects whose names get the prefix, so that references to them do too. */
  readonly renamed: ReadonlySet<string>;
}

interface Binding extends KubernetesObject {
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

function rename(object: KubernetesObject, naming: Naming): KubernetesObject {
  const { roleRef, subjects, ...rest } = object as Binding;
  const metadata = {
    ...object.metadata,
    name: `${naming.prefix}${object.metadata.name ?? ""}`,
    ...(CLUSTER_SCOPED.has(object.kind) ? {} : { namespace: naming.namespace }),
  };
  return {
    ...rest,
    metadata,
    ...(roleRef === undefined ? {} : { roleRef: { ...roleRef, name: prefixedName(roleRef, naming) } }),
    ...(subjects === undefined ? {} : { subjects: subjects.map((subject) => renameSubject(subject, naming)) }),
  };
}

function renameSubject<S extends { readonly kind: string; readonly name: string }>(subject: S, naming: Naming): S {
  if (subject.kind !== "ServiceAccount") return subject;
  return { ...subject, name: prefixedName(subject, naming), namespace: naming.namespace };
}

function prefixedName(
  reference: { readonly kind: string; readonly name: string },
  { prefix, renamed }: Naming,
): string {
  return renamed.has(`${reference.kind}/${reference.name}`) ? `${prefix}${reference.name}` : reference.name;
}

/**
 * Thrown when a folder does not contain the manifests of an operator project.
 *
 * Fix: Use the folder of a project, and run `scaffold manifests` in it first.
 */
export class NotAnOperatorError extends ScaffoldError {
  readonly code = "ENVTEST_NOT_AN_OPERATOR";

  constructor(file: string, cause: unknown) {
    super(`cannot read the operator's manifests: ${file}: ${messageOf(cause)}`, {
      cause,
      hint: "pass the folder of a project created by `npx kubescaffold init`, and run `npx scaffold manifests` in it first",
    });
  }
}
