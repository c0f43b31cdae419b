import { gvkOf, gvkToString, type JSONValue } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { builtInSchema } from "@kubescaffold/k8s/schemas";
import { createJsonMergePatch, createStrategicMergePatch, type JsonObject } from "@kubescaffold/schema";

import { MissingResourceVersionError, NoPatchSchemaError } from "./errors.ts";

/**
 * The media types of patches.
 *
 * apimachinery: pkg/types.PatchType
 */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/**
 * A change of an object; the body is computed when the request is sent.
 *
 * controller-runtime: pkg/client.Patch
 */
export interface Patch {
  /** The media type of the body. */
  readonly type: PatchType;
  /** Returns the body of the request for the object given to `client.patch`. */
  readonly data: (object: ReadonlyObject) => unknown;
}

/** An operation of a JSON patch. */
export type JsonPatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JSONValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/**
 * Options of {@link mergeFrom} and {@link strategicMergeFrom}.
 *
 * controller-runtime: pkg/client.MergeFromOptions
 */
export interface MergeFromOptions {
  /** Adds the original's resourceVersion, so that the server refuses the patch if the object has changed. Default: false. */
  readonly optimisticLock?: boolean;
}

/**
 * Creates a merge patch with the difference between the original and the object given to `client.patch`; lists are replaced.
 *
 * Fails: {@link MissingResourceVersionError} with an optimistic lock when the original was not read from a server.
 *
 * controller-runtime: pkg/client.MergeFromWithOptions
 *
 * @example
 * const changed = { ...guestbook, metadata: { ...guestbook.metadata, labels: { tier: "web" } } };
 * await client.patch(changed, patch.mergeFrom(guestbook));
 */
export function mergeFrom(original: ReadonlyObject, options: MergeFromOptions = {}): Patch {
  return {
    type: "application/merge-patch+json",
    data: (object) => lockedTo(original, createJsonMergePatch(asJson(original), asJson(object)), options),
  };
}

/**
 * Creates a merge patch of the whole object given to `client.patch`: fields of the object are set, others stay.
 *
 * controller-runtime: pkg/client.Merge
 */
export function merge(): Patch {
  return { type: "application/merge-patch+json", data: (object) => object };
}

/** Creates a JSON patch from its operations. */
export function json(steps: readonly JsonPatchStep[]): Patch {
  return { type: "application/json-patch+json", data: () => steps };
}

/**
 * Creates a server-side apply of the object given to `client.patch`; prefer `client.apply`.
 *
 * controller-runtime: pkg/client.Apply
 */
export function apply(): Patch {
  return { type: "application/apply-patch+yaml", data: (object) => object };
}

/**
 * Creates a patch with a fixed body.
 *
 * controller-runtime: pkg/client.RawPatch
 */
export function raw(type: PatchType, body: unknown): Patch {
  return { type, data: () => body };
}

/** Returns a difference, with the original's resourceVersion if the options require it. */
function lockedTo(original: ReadonlyObject, difference: JsonObject, options: MergeFromOptions): JsonObject {
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

/** Returns an object as JSON, which it is by contract. */
function asJson(object: ReadonlyObject): JsonObject {
  return object as unknown as JsonObject;
}

/**
 * Creates a strategic merge patch with the difference between the original and the object given to `client.patch`: lists
 * with a merge key, such as containers, are merged item by item.
 *
 * Fails: {@link NoPatchSchemaError} for kinds that are not built in; servers accept these patches only for built-in kinds.
 *
 * controller-runtime: pkg/client.StrategicMergeFrom
 */
export function strategicMergeFrom(original: ReadonlyObject, options: MergeFromOptions = {}): Patch {
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
