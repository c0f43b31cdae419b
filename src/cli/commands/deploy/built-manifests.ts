import { readYaml } from "@kubescaffold/k8s/yaml";

import { DeployError } from "../../command/errors.ts";

/** An object of built manifests, with the text of its document. */
export interface BuiltObject {
  readonly text: string;
  readonly kind: string;
  /** `namespace/name`, or the name alone of a cluster-scoped object. */
  readonly name: string;
  readonly convertsByWebhook: boolean;
}

interface Manifest {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly conversion?: { readonly strategy?: string };
    readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } };
  };
}

interface Container {
  readonly name?: string;
  readonly image?: string;
}

/** Returns the objects of manifests that kustomize built. */
export function objectsOf(manifests: string): readonly BuiltObject[] {
  return documentsOf(manifests).map((text) => {
    const { kind = "", metadata = {}, spec } = readManifest(text);
    const { name = "", namespace } = metadata;
    return {
      text,
      kind,
      name: namespace === undefined ? name : `${namespace}/${name}`,
      convertsByWebhook: spec?.conversion?.strategy === "Webhook",
    };
  });
}

/** Returns the manifests of objects. */
export function manifestsOf(objects: readonly BuiltObject[]): string {
  return objects.map(({ text }) => text).join("---\n");
}

/**
 * Returns manifests with another image of the manager, in the Deployment and wherever else its image is named; every other byte is as it was.
 *
 * Fails: {@link DeployError} when there is no manager.
 */
export function withManagerImage(manifests: string, image: string): string {
  const current = managerImage(manifests);
  return manifests
    .split("\n")
    .map((line) => {
      const [, key, value = ""] = /^(\s*(?:- )?image: )(.*)$/u.exec(line) ?? [];
      return value.replaceAll(/^["']|["']$/gu, "") === current ? `${key}${image}` : line;
    })
    .join("\n");
}

function managerImage(manifests: string): string {
  for (const document of documentsOf(manifests)) {
    const { kind, metadata, spec } = readManifest(document);
    if (kind !== "Deployment" || metadata?.labels?.["control-plane"] !== "controller-manager") continue;
    const containers = spec?.template?.spec?.containers ?? [];
    const manager = containers.find(({ name }) => name === "manager") ?? (containers.length === 1 ? containers[0] : {});
    if (manager?.image !== undefined) return manager.image;
  }
  throw new DeployError("cannot set the image of the manager: config/default has no Deployment with its container", {
    hint: "label the Deployment control-plane: controller-manager, and name its container manager",
  });
}

function documentsOf(manifests: string): readonly string[] {
  return manifests.split(/^---\n/mu).filter((text) => text.trim() !== "");
}

function readManifest(text: string): Manifest {
  return readYaml(text) ?? {};
}
