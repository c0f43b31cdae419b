import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { AdmissionContext, AdmissionHandler } from "./admission-handler.ts";
import { allowed, errored, withWarnings, type AdmissionResponse } from "./admission-response.ts";
import { responseOfError } from "./handler-error.ts";

/** Texts that the user's client prints as warnings, whether the request passes or not. */
export type Warnings = readonly string[];

/** What a validator may return: nothing, or warnings. */
export type ValidationOutcome = Warnings | void | Promise<Warnings | void>;

/**
 * Decides whether objects may be created, updated and deleted.
 *
 * A thrown error refuses the request with its message; one made by `newInvalid` of `@kubescaffold/k8s` is shown field by field, as the server's own.
 */
export interface Validator<T extends KubernetesObject> {
  validateCreate(object: T, context: AdmissionContext): ValidationOutcome;
  validateUpdate(oldObject: T, newObject: T, context: AdmissionContext): ValidationOutcome;
  validateDelete(object: T, context: AdmissionContext): ValidationOutcome;
}

/**
 * Is thrown by a validator to refuse a request and to warn at once.
 *
 * Upstream's validators return both values; here the refusal carries the warnings.
 */
export class RefusalWithWarnings extends Error {
  readonly warnings: Warnings;

  constructor(refusal: Error, warnings: Warnings) {
    super(refusal.message, { cause: refusal });
    this.name = "RefusalWithWarnings";
    this.warnings = warnings;
  }
}

/** Makes a handler of a validator; CONNECT passes, an unknown operation is answered with 400. */
export function validatorHandler<T extends KubernetesObject>(validator: Validator<T>): AdmissionHandler {
  return async (request, context) => {
    if (request.operation === "CONNECT") return allowed();
    const validate = validationOf(validator, request, context);
    if (typeof validate !== "function") return validate;
    try {
      return withWarnings(allowed(), ...((await validate()) ?? []));
    } catch (error) {
      if (error instanceof RefusalWithWarnings) return withWarnings(responseOfError(error.cause), ...error.warnings);
      return responseOfError(error);
    }
  };
}

function validationOf<T extends KubernetesObject>(
  validator: Validator<T>,
  request: AdmissionRequest,
  context: AdmissionContext,
): AdmissionResponse | (() => ValidationOutcome) {
  const object = request.object as T;
  const oldObject = request.oldObject as T;
  switch (request.operation) {
    case "CREATE":
      return isMissing(request.object) ? noContent() : () => validator.validateCreate(object, context);
    case "UPDATE":
      if (isMissing(request.object) || isMissing(request.oldObject)) return noContent();
      return () => validator.validateUpdate(oldObject, object, context);
    case "DELETE":
      return isMissing(request.oldObject) ? noContent() : () => validator.validateDelete(oldObject, context);
    default:
      return errored(400, `unknown operation ${JSON.stringify(request.operation)}`);
  }
}

function isMissing(object: unknown): boolean {
  return object === undefined || object === null;
}

function noContent(): AdmissionResponse {
  return errored(400, "there is no content to decode");
}
