import type { JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createJsonMergePatch } from "@kubescaffold/schema";

import { MissingResourceVersionError } from "./errors.ts";

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
 * Makes patches for `client.patch`.
 *
 * @example
 * const changed = { ...guestbook, metadata: { ...guestbook.metadata, labels: { tier: "web" } } };
 * await client.patch(changed, patch.mergeFrom(guestbook));
 */
export const patch: {
  /** Sends the whole object as a merge patch: what it has is set, what it lacks stays. */
  readonly merge: () => Patch;
  /** Sends what turns the original into the object given to `client.patch`, as a merge patch; lists are replaced whole. */
  readonly mergeFrom: (original: KubernetesObject, options?: MergeFromOptions) => Patch;
  /** Sends the steps of a JSON patch. */
  readonly json: (steps: readonly JsonPatchStep[]) => Patch;
  /** Sends the object as a server-side apply; `client.apply` is the call for it, and subresources can use this. */
  readonly apply: () => Patch;
  /** Sends a body as it is. */
  readonly raw: (type: PatchType, body: unknown) => Patch;
} = {
  merge: () => ({ type: "application/merge-patch+json", data: (object) => object }),
  mergeFrom: (original, options = {}) => ({
    type: "application/merge-patch+json",
    data: (object) => mergeDifference(original, object, options),
  }),
  json: (steps) => ({ type: "application/json-patch+json", data: () => steps }),
  apply: () => ({ type: "application/apply-patch+yaml", data: (object) => object }),
  raw: (type, body) => ({ type, data: () => body }),
};

function mergeDifference(original: KubernetesObject, modified: KubernetesObject, options: MergeFromOptions): unknown {
  const difference = createJsonMergePatch(asJson(original), asJson(modified));
  if (options.optimisticLock !== true) {
    return difference;
  }
  const { resourceVersion, name = "" } = original.metadata;
  if (resourceVersion === undefined || resourceVersion === "") {
    throw new MissingResourceVersionError(`${original.kind} ${name}`);
  }
  return { ...difference, metadata: { ...(difference["metadata"] as object | undefined), resourceVersion } };
}

// Objects are JSON by contract; their interfaces do not say so to the compiler.
function asJson(object: KubernetesObject): { readonly [key: string]: JSONValue } {
  return object as unknown as { readonly [key: string]: JSONValue };
}
