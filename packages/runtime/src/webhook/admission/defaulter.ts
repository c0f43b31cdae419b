import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { AdmissionContext, AdmissionHandler } from "./admission-handler.ts";
import { allowed, errored, patchResponse } from "./admission-response.ts";
import { responseOfError } from "./handler-error.ts";

/** Fills in what a user left out, when an object is created or updated. */
export interface Defaulter<T extends KubernetesObject> {
  /**
   * Changes the object in place; it is a copy made for this call.
   *
   * Fails: whatever is thrown refuses the request with its message.
   */
  default(object: T, context: AdmissionContext): void | Promise<void>;
}

/**
 * Makes a handler of a defaulter.
 *
 * Guarantees: fields that the defaulter does not touch survive, those unknown to its type too; an unchanged object yields no patch; DELETE passes untouched.
 */
export function defaulterHandler<T extends KubernetesObject>(defaulter: Defaulter<T>): AdmissionHandler {
  return async (request, context) => {
    if (request.operation === "DELETE") return allowed();
    if (request.object === undefined || request.object === null) return errored(400, "there is no content to decode");
    const object = structuredClone(request.object) as unknown as T;
    try {
      await defaulter.default(object, context);
    } catch (error) {
      return responseOfError(error);
    }
    return patchResponse(request.object, object);
  };
}
