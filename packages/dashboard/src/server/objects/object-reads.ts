import { isNotFound, printServerJson } from "@kubescaffold/k8s";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { diffLines } from "@kubescaffold/platform";
import { redactSecrets, type RestClient } from "@kubescaffold/runtime";

import type { ObjectDetail, ObjectHistory } from "../contract/protocol.ts";
import type { ObservedAuthor } from "../observations/observations.ts";
import { fieldOwnersOf } from "./field-owners.ts";
import type { ObjectVersions } from "./object-versions.ts";

/** The target of a request for an object. */
export interface ObjectAddress {
  readonly apiVersion: string;
  /** The plural name. */
  readonly resource: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** Returns the path of an object, or of a collection for an empty name. */
export function pathOf({ apiVersion, resource, namespace, name }: ObjectAddress): string {
  const root = apiVersion.includes("/") ? "apis" : "api";
  const segments = [
    root,
    ...apiVersion.split("/"),
    ...(namespace === "" ? [] : ["namespaces", namespace]),
    resource,
    ...(name === "" ? [] : [name]),
  ];
  return `/${segments.map(encodeURIComponent).join("/")}`;
}

/** Reads an object without the data of Secrets; undefined if there is none. */
export async function readDetail(rest: RestClient, address: ObjectAddress): Promise<ObjectDetail | undefined> {
  try {
    const object = redactSecrets(await rest.request({ method: "GET", path: pathOf(address) }));
    return {
      object,
      yaml: yamlOf(object),
      fieldOwners: fieldOwnersOf(object as Readonly<Record<string, unknown>>),
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns the history of an object, each version with its difference to the one before. */
export function readHistory(
  cluster: { history(object: { readonly metadata: { readonly uid: string } }): ObjectVersions },
  uid: string,
  authorOf: (resourceVersion: string) => ObservedAuthor | undefined,
): ObjectHistory {
  const { versions, isTruncated } = cluster.history({ metadata: { uid } });
  let before: string | undefined;
  const shown = versions.map((version) => {
    const { resourceVersion, at, verb, subresource, user, fieldManager, change } = version;
    const yaml = yamlOf(redactSecrets(version.object));
    // The version is beside the changes; each write changes it.
    const compared = yaml.replace(VERSION_LINE, "");
    const diff = before === undefined ? [] : diffLines(before, change === "deleted" ? "" : compared);
    before = compared;
    return {
      resourceVersion,
      at,
      verb: verb === "" && change === "deleted" ? "delete" : verb,
      subresource,
      user,
      manager: fieldManager,
      ...authorOf(resourceVersion),
      yaml,
      diff,
    };
  });
  return { versions: shown, isTruncated };
}

const VERSION_LINE = /^ {2}resourceVersion: .*\n/mu;

/** Prints an object without its managed fields. */
export function yamlOf(object: unknown): string {
  const { metadata, ...fields } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
  const { managedFields: _, ...rest } = metadata ?? {};
  const shown = { ...fields, metadata: rest };
  try {
    return printYaml(shown);
  } catch {
    return `${printServerJson(shown, 2)}\n`;
  }
}
