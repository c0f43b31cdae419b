import { deepClone, isInstance } from "@kubescaffold/k8s";
import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Schema } from "@kubescaffold/schema";

import type { Stored } from "../../client/partial-object.ts";
import { describeValue, ReturnedValueError } from "../../reconcile/returned-value.ts";
import {
  type AdmissionContext,
  type AdmissionHandler,
  type AdmissionResponse,
  allowed,
  errored,
  patchResponse,
  responseOfError,
  withWarnings,
} from "./admission-response.ts";

/**
 * Texts that the user's client prints as warnings, whether the request is allowed or not.
 *
 * controller-runtime: pkg/webhook/admission.Warnings
 */
export type Warnings = readonly string[];

/** The result of a validator: nothing, or warnings. */
export type ValidationOutcome = Warnings | void | Promise<Warnings | void>;

/**
 * Validates the creation, update, and deletion of objects.
 *
 * A thrown error denies the request with its message and code 403; an API status, also as the cause of the error, keeps its code, and an error of
 * `newInvalid` of `@kubescaffold/k8s` is shown field by field, like the server's. A defect, such as a property of `undefined`, is answered with code 500.
 *
 * controller-runtime: pkg/webhook/admission.Validator
 */
export interface Validator<T extends KubernetesObject> {
  /** Validates a new object. */
  validateCreate(object: T, context: AdmissionContext): ValidationOutcome;
  /** Validates a changed object. */
  validateUpdate(oldObject: Stored<T>, newObject: T, context: AdmissionContext): ValidationOutcome;
  /** Validates the deletion of an object. */
  validateDelete(object: Stored<T>, context: AdmissionContext): ValidationOutcome;
}

/**
 * Thrown by a validator to deny a request and to return warnings.
 *
 * Upstream's validators return both values; here the error carries the warnings.
 */
export class RefusalWithWarnings extends Error {
  readonly warnings: Warnings;

  constructor(refusal: Error, warnings: Warnings) {
    super(refusal.message, { cause: refusal });
    this.name = "RefusalWithWarnings";
    this.warnings = warnings;
  }
}

/**
 * Creates a handler from a validator; CONNECT is allowed, an unknown operation is answered with 400.
 *
 * controller-runtime: pkg/webhook/admission.WithValidator
 */
export function validatorHandler<T extends KubernetesObject>(validator: Validator<T>): AdmissionHandler {
  return async (request, context) => {
    if (request.operation === "CONNECT") return allowed();
    const validate = validationOf(validator, request, context);
    if (typeof validate !== "function") return validate;
    try {
      return withWarnings(allowed(), ...requireWarnings(await validate()));
    } catch (error) {
      if (!isInstance(error, RefusalWithWarnings)) throw error;
      return withWarnings(responseOfError(error.cause), ...error.warnings);
    }
  };
}

// The characters of a string would be warnings.
function requireWarnings(outcome: Warnings | void): Warnings {
  if (outcome === undefined || (outcome as unknown) === null) return [];
  if (Array.isArray(outcome) && outcome.every((warning) => typeof warning === "string")) return outcome;
  throw new ReturnedValueError(
    `the validator returned ${Array.isArray(outcome) ? "warnings that are not strings" : describeValue(outcome)}`,
    "return nothing, or an array of warnings; throw an error to deny the request",
  );
}

function validationOf<T extends KubernetesObject>(
  validator: Validator<T>,
  request: AdmissionRequest,
  context: AdmissionContext,
): AdmissionResponse | (() => ValidationOutcome) {
  const object = request.object as T;
  const oldObject = request.oldObject as Stored<T>;
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

/**
 * Sets default values when an object is created or updated.
 *
 * controller-runtime: pkg/webhook/admission.Defaulter
 */
export interface Defaulter<T extends KubernetesObject> {
  /**
   * Changes the object in place; it is a copy for this call. Another returned value denies the request with code 500.
   *
   * Fails: a thrown error denies the request like an error of a {@link Validator}.
   */
  default(object: T, context: AdmissionContext): void | Promise<void>;
}

/**
 * Options of {@link defaulterHandler}.
 *
 * controller-runtime: pkg/webhook/admission.DefaulterOption
 */
export interface DefaulterOptions<T extends KubernetesObject> {
  /**
   * Removes the fields of an object that this schema does not contain, before the defaulter is called; `zz_generated.schema.ts` exports the schema of
   * each kind. Default: unknown fields are preserved.
   *
   * controller-runtime: pkg/webhook/admission.DefaulterRemoveUnknownOrOmitableFields
   */
  readonly removeUnknownFields?: Pick<Schema<T>, "prune">;
}

/**
 * Creates a handler from a defaulter.
 *
 * Guarantees: fields that the defaulter does not change are preserved, including unknown ones unless an option removes them; an unchanged object yields no
 * patch; DELETE is allowed unchanged.
 *
 * controller-runtime: pkg/webhook/admission.WithDefaulter
 */
export function defaulterHandler<T extends KubernetesObject>(
  defaulter: Defaulter<T>,
  { removeUnknownFields }: DefaulterOptions<T> = {},
): AdmissionHandler {
  return async (request, context) => {
    if (request.operation === "DELETE") return allowed();
    if (request.object === undefined || request.object === null) return errored(400, "there is no content to decode");
    const received = request.object as unknown as T;
    const object = deepClone(removeUnknownFields?.prune(received).value ?? received);
    requireInPlace(await defaulter.default(object, context), object);
    return patchResponse(request.object, object);
  };
}

// A new object would be ignored, and nobody would know why.
function requireInPlace(returned: unknown, object: unknown): void {
  if (returned === undefined || returned === null || returned === object) return;
  throw new ReturnedValueError(
    `the defaulter returned ${describeValue(returned)}`,
    "change the object in place, and return nothing",
  );
}

/**
 * Runs mutating handlers in order on the same object; their patches are joined, and the first denial ends the run.
 *
 * controller-runtime: pkg/webhook/admission.MultiMutatingHandler
 */
export function multiMutatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return runInTurn(handlers);
}

/**
 * Runs validating handlers in order; the first denial ends the run.
 *
 * controller-runtime: pkg/webhook/admission.MultiValidatingHandler
 */
export function multiValidatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return runInTurn(handlers);
}

function runInTurn(handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return async (request, context) => {
    let joined: AdmissionResponse = { allowed: true, patches: [], warnings: [], status: { code: 200 } };
    for (const handler of handlers) {
      const response = await handler(request, context);
      const warnings = [...joined.warnings, ...response.warnings];
      if (!response.allowed) return { ...response, warnings };
      joined = { ...joined, patches: [...joined.patches, ...response.patches], warnings };
    }
    return joined;
  };
}
