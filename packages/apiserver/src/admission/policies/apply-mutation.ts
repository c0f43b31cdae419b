import {
  deepClone,
  gvkOf,
  gvkToString,
  type JSONValue,
  messageOf,
  newInternalError,
  printServerJson,
  StatusError,
} from "@kubescaffold/k8s";
import {
  applyConfigurationOf,
  evaluateMutation,
  jsonPatchOf,
  type MutationOutcome,
  type PolicyVariableExpressions,
} from "@kubescaffold/schema/cel";
import { atomicFields, mergeValues, typedError } from "@kubescaffold/schema/structured-merge";
import { applyJsonPatch, type JsonObject } from "@kubescaffold/schema/values";

import { decodingProblem } from "../../request/decoding-problem.ts";
import { evaluationTurns } from "../../resources/rule-engine.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { ExpressionValues } from "./expression-input.ts";
import type { MutatedView } from "./mutated-view.ts";
import type { MutationStep } from "./mutation-program.ts";

/** Thrown where a mutation fails; it never leaves the evaluation of policies. */
export class MutationError extends Error {}

/** The input of a mutation. */
interface MutationInput {
  readonly view: MutatedView;
  readonly values: ExpressionValues;
  readonly variables: PolicyVariableExpressions;
}

/** Returns the object of a view as a mutation changes it. Fails: {@link MutationError}, or with 500 when a patched object cannot be decoded. */
export async function applyMutation(
  { kind, expression }: MutationStep,
  { view, values, variables }: MutationInput,
): Promise<ApiObject> {
  const object = view.object as ApiObject;
  const result = successOf(await evaluateMutation(expression, values, { variables, turns: evaluationTurns() }));
  const mutated =
    kind === "apply"
      ? applyConfiguration(view, object, successOf(applyConfigurationOf(result)))
      : applyPatch(view, object, successOf(jsonPatchOf(result)));
  const problem = view.conversionProblem();
  if (problem !== undefined) throw new MutationError(problem);
  return mutated;
}

function successOf<T>(outcome: MutationOutcome<T>): T {
  if (outcome.kind === "value") return outcome.value;
  throw new MutationError(outcome.message);
}

function applyConfiguration(view: MutatedView, object: ApiObject, configuration: JsonObject): ApiObject {
  const { apiVersion, kind } = object;
  const applied = { ...configuration, apiVersion, kind };
  if (!view.hasSchema) {
    throw new MutationError(
      `error applying patch: failed to convert patch object to typed object: no corresponding type for ${gvkToString(gvkOf(object))}`,
    );
  }
  const { schema, resolve } = view.mergeSchema();
  const problem = typedError(applied, schema, { resolve });
  if (problem !== undefined) {
    throw new MutationError(`error applying patch: failed to convert patch object to typed object: ${problem}`);
  }
  const atomic = atomicFields(applied, schema, { resolve });
  if (atomic.length > 0) {
    throw new MutationError(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(", ")}`,
    );
  }
  const merged = mergeValues(object as unknown as JSONValue, applied, { schema, resolve });
  const unstructured = `unable to convert unstructured object to ${gvkToString(gvkOf(object))}`;
  return decoded(deepClone(merged) as unknown as ApiObject, {
    decode: (changed) => view.decode(changed, { isMerged: true }),
    failureOf: (text) => new MutationError(`${unstructured}: ${text}`),
  });
}

function applyPatch(view: MutatedView, object: ApiObject, operations: readonly JSONValue[]): ApiObject {
  const patched = patchedObject(object, operations);
  if (patched === undefined) return object;
  const unknownFields: string[] = [];
  const result = decoded(withIdentityOf(object, patched, view.isCustom), {
    decode: (changed) => view.decode(changed, { unknownFields }),
    failureOf: newInternalError,
  });
  if (unknownFields.length === 0) return result;
  const texts = unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`);
  throw newInternalError(`strict decoding error: ${texts.join(", ")}`);
}

// A test that fails leaves the object as it is.
function patchedObject(object: ApiObject, operations: readonly JSONValue[]): ApiObject | undefined {
  try {
    const patched = applyJsonPatch(object as unknown as JSONValue, operations, {
      mostOperations: Infinity,
    });
    return deepClone(patched) as unknown as ApiObject;
  } catch (error) {
    const message = messageOf(error);
    if (/^testing value .* failed: test failed$/su.test(message)) return undefined;
    throw new MutationError(`JSON Patch: ${message}`);
  }
}

// An absent kind is that of the object; another one is decoded as such upstream, and then does not fit.
function withIdentityOf({ apiVersion, kind }: ApiObject, patched: ApiObject, isCustom: boolean): ApiObject {
  if (isCustom && !patched.kind) throw newInternalError(`Object 'Kind' is missing in '${printServerJson(patched)}'`);
  const stated = { apiVersion: patched.apiVersion || apiVersion, kind: patched.kind || kind };
  if (stated.apiVersion !== apiVersion || stated.kind !== kind) {
    throw newInternalError(
      `no kind ${JSON.stringify(stated.kind)} is registered for version ${JSON.stringify(stated.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  return { ...patched, ...stated };
}

interface Decoding {
  readonly decode: (changed: ApiObject) => ApiObject;
  readonly failureOf: (text: string) => Error;
}

function decoded(object: ApiObject, { decode, failureOf }: Decoding): ApiObject {
  try {
    return decode(object);
  } catch (error) {
    throw error instanceof StatusError ? failureOf(decodingProblem(error)) : error;
  }
}
