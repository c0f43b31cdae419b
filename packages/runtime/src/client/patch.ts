import { gvkOf, gvkToString, type JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { builtInSchema } from "@kubescaffold/k8s/tables";
import { createJsonMergePatch, createStrategicMergePatch, type JsonObject } from "@kubescaffold/schema";

import { MissingResourceVersionError, NoPatchSchemaError } from "./errors.ts";

/** The media types by which a server knows how to read a patch. */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** A change to part of an object, made into a body when the call is made. */
export interface Patch {
  readonly type: PatchType;
  /** Returns the body of the request, for the object given to `client.patch`. */
  readonly data: (object: KubernetesObject) => unknown;
}

/** One step of a JSON patch. */
export type JsonPatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JSONValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** How a patch is made from a difference. */
export interface MergeFromOptions {
  /** Puts the original's resourceVersion into the patch, so that the server refuses it if the object changed meanwhile. */
  readonly optimisticLock?: boolean;
}

/**
 * Makes a merge patch of what turns the original into the object given to `client.patch`; lists are replaced whole.
 *
 * Fails: {@link MissingResourceVersionError} when it shall lock and the original was never read from a server.
 *
 * @example
 * const changed = { ...guestbook, metadata: { ...guestbook.metadata, labels: { tier: "web" } } };
 * await client.patch(changed, patch.mergeFrom(guestbook));
 */
export function mergeFrom(original: KubernetesObject, options: MergeFromOptions = {}): Patch {
  return {
    type: "application/merge-patch+json",
    data: (object) => lockedTo(original, createJsonMergePatch(asJson(original), asJson(object)), options),
  };
}

/** Makes a merge patch of the whole object given to `client.patch`: what it has is set, what it lacks stays. */
export function merge(): Patch {
  return { type: "application/merge-patch+json", data: (object) => object };
}

/** Makes a JSON patch of its steps. */
export function json(steps: readonly JsonPatchStep[]): Patch {
  return { type: "application/json-patch+json", data: () => steps };
}

/** Makes a server-side apply of the object given to `client.patch`; `client.apply` is the shorter way. */
export function apply(): Patch {
  return { type: "application/apply-patch+yaml", data: (object) => object };
}

/** Makes a patch of a body that is sent as it is. */
export function raw(type: PatchType, body: unknown): Patch {
  return { type, data: () => body };
}

/** Returns a difference with the original's resourceVersion in it, where that is asked for. */
function lockedTo(original: KubernetesObject, difference: JsonObject, options: MergeFromOptions): JsonObject {
  if (options.optimisticLock !== true) {
    return difference;
  }
  const { resourceVersion, name = "" } = original.metadata;
  if (resourceVersion === undefined || resourceVersion === "") {
    throw new MissingResourceVersionError(`${original.kind} ${name}`);
  }
  const metadata = difference["metadata"] as JsonObject | undefined;
  return { ...difference, metadata: { ...metadata, resourceVersion } };
}

/** Returns an object as the JSON that it is by contract, though its interface does not say so. */
function asJson(object: KubernetesObject): JsonObject {
  return object as unknown as JsonObject;
}

/**
 * Makes a strategic merge patch of what turns the original into the object given to `client.patch`: lists of things
 * with a key, such as containers, merge item by item.
 *
 * Fails: {@link NoPatchSchemaError} for kinds that are not built in; servers take merge patches only for those.
 */
export function strategicMergeFrom(original: KubernetesObject, options: MergeFromOptions = {}): Patch {
  return {
    type: "application/strategic-merge-patch+json",
    data: (object) => {
      const schema = builtInSchema(gvkOf(original));
      if (schema === undefined) {
        throw new NoPatchSchemaError(gvkToString(gvkOf(original)));
      }
      const resolver = { schema, resolve: builtInSchema };
      return lockedTo(original, createStrategicMergePatch(asJson(original), asJson(object), resolver), options);
    },
  };
}
