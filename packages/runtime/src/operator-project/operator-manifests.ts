import path from "node:path";

import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { type CertificateManifests, readCertificateManifests } from "./operator-certificates.ts";
import { readDocuments, readKustomization } from "./project-documents.ts";

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
  /**
   * The manifests of `config/certificates`; undefined if certificates come from cert-manager. Roles and bindings have their final names. The Secret and the names
   * in permissions and variables have no prefix, like the webhook configurations that a development cluster has.
   */
  readonly certificates?: CertificateManifests | undefined;
}

const CLUSTER_SCOPED = new Set(["ClusterRole", "ClusterRoleBinding", "Namespace"]);

/**
 * Reads `config/rbac` and `config/certificates` of a project and sets names and namespaces like kustomize does for `config/default`, or for another namespace.
 *
 * Fails: {@link NotAnOperatorError} when a manifest is missing or invalid.
 */
export async function readOperatorManifests(projectDirectory: string, namespace?: string): Promise<OperatorManifests> {
  const settings = await readKustomization(path.join(projectDirectory, "config", "default"));
  const rbacFolder = path.join(projectDirectory, "config", "rbac");
  const { resources = [] } = await readKustomization(rbacFolder);
  const read = await Promise.all(
    resources.map(async (file) =>
      ((await readDocuments(path.join(rbacFolder, file))) as readonly KubernetesObject[]).map((object) => ({
        file,
        object,
      })),
    ),
  );
  const objects = read.flat().map(({ object }) => object);
  const certificates = await readCertificateManifests(projectDirectory);
  const renamed = [...objects, ...(certificates?.objects ?? [])].filter(({ kind }) => kind !== "Secret");
  const naming: Naming = {
    prefix: settings.namePrefix ?? "",
    namespace: namespace ?? settings.namespace ?? "default",
    renamed: new Set(renamed.map((object) => `${object.kind}/${object.metadata.name ?? ""}`)),
  };
  const rbac = objects.map((object) => rename(object, naming));
  const account = rbac.find(({ kind }) => kind === "ServiceAccount");
  return {
    namespace: naming.namespace,
    namePrefix: naming.prefix,
    serviceAccountName: account?.metadata.name ?? "default",
    rbac,
    rbacFiles: read.flat().map(({ file }) => file),
    certificates:
      certificates === undefined
        ? undefined
        : { ...certificates, objects: certificates.objects.map((object) => rename(object, naming)) },
  };
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
    name: prefixedName({ kind: object.kind, name: object.metadata.name ?? "" }, naming),
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
