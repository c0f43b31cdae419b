import { existsSync } from "node:fs";
import path from "node:path";

import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { readDocuments, readKustomization } from "./project-documents.ts";

/** The manifests of a manager that makes its certificates itself. */
export interface CertificateManifests {
  /** The Secret, roles, and bindings of `config/certificates`, as the files have them. */
  readonly objects: readonly KubernetesObject[];
  /** The variables of `config/default/manager_certificates_patch.yaml`, which name the objects of the certificates. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Reads the manifests of self-managed certificates. Returns undefined for a project whose certificates come from cert-manager.
 *
 * Fails: `NotAnOperatorError` when a manifest is missing or invalid.
 */
export async function readCertificateManifests(projectDirectory: string): Promise<CertificateManifests | undefined> {
  const folder = path.join(projectDirectory, "config", "certificates");
  const patch = path.join(projectDirectory, "config", "default", "manager_certificates_patch.yaml");
  if (!existsSync(patch) || !existsSync(folder)) return undefined;
  const { resources = [] } = await readKustomization(folder);
  const objects = await Promise.all(resources.map(async (file) => await readDocuments(path.join(folder, file))));
  const [deployment] = await readDocuments(patch);
  return { objects: objects.flat() as readonly KubernetesObject[], variables: variablesOf(deployment as Patch) };
}

interface Patch {
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly containers?: readonly {
          readonly env?: readonly { readonly name: string; readonly value?: string }[];
        }[];
      };
    };
  };
}

function variablesOf({ spec }: Patch): Readonly<Record<string, string>> {
  const [container] = spec?.template?.spec?.containers ?? [];
  return Object.fromEntries((container?.env ?? []).map(({ name, value = "" }) => [name, value]));
}
