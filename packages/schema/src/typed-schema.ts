import { dns1123SubdomainErrors, type FieldError, type JSONValue, maskTrailingDash } from "@kubescaffold/k8s";

import { applyDefaults } from "./apply-defaults.ts";
import { isJsonObject, memberOf, type JsonObject } from "./json/json-value.ts";
import type { JsonSchema } from "./model/json-schema.ts";
import { validateObjectMeta } from "./object-meta/validate-object-meta.ts";
import { withRuleErrors } from "./rule-errors.ts";
import { prune, type Pruned } from "./structural/prune.ts";
import { validate } from "./validate.ts";

/** Options for the validation of a typed value. */
export interface TypedValidateOptions<T> {
  /** The prefix of every path, such as `spec` if the value is the spec of an object. */
  readonly path?: string | undefined;
  /** The value before an update: what was invalid already and has not changed is not reported. */
  readonly previous?: T | undefined;
}

/**
 * The schema of a TypeScript type, with the API server's validation, defaulting, and pruning.
 *
 * `scaffold generate` writes one for every kind and the types that it is made of, into `zz_generated.schema.ts`; unit tests and
 * webhooks use it where they would otherwise need a server.
 */
export interface Schema<T> {
  /** The schema as the CRD has it, without descriptions. */
  readonly schema: JsonSchema;
  /** Returns the validation errors of the value; empty if it is valid. Does not change the value. */
  readonly validate: (value: T, options?: TypedValidateOptions<T>) => readonly FieldError[];
  /** Returns the value with the API server's defaults; the value itself if there are none. */
  readonly applyDefaults: (value: T) => T;
  /** Returns the value without unknown fields, and their paths. */
  readonly prune: (value: T) => Pruned<T>;
}

/** The scope of a kind. */
export type KindScope = "Namespaced" | "Cluster";

/** Checks the CEL rules of a schema: `validateRules` of `@kubescaffold/schema/cel`, which programs without rules need not load. */
export type RuleValidation = (
  schema: JsonSchema,
  value: JSONValue,
  options: { readonly path?: string; readonly previous?: JSONValue; readonly isResourceRoot: boolean },
) => { readonly errors: readonly FieldError[] };

/** Options of a schema. */
export interface SchemaTraits {
  /** The kind of the objects, whose metadata is validated, too. */
  readonly scope?: KindScope;
  /** Checks the CEL rules; without it they are not checked. */
  readonly rules?: RuleValidation;
}

/**
 * Defines the schema of a type; `make` is called on first use.
 *
 * An object of a kind may lack its namespace, since the request says it; so may it lack its name where it has a `generateName`.
 *
 * @example
 * const PortSchema: Schema<Port> = defineSchema({}, () => ({ type: "object", properties: { number: { type: "integer", default: 80 } } }));
 * PortSchema.applyDefaults({}); // { number: 80 }
 */
export function defineSchema<T>(traits: SchemaTraits, make: () => JsonSchema): Schema<T> {
  let made: JsonSchema | undefined;
  const schema = (): JsonSchema => (made ??= make());
  // The types of an API describe JSON, though an interface has no index signature that would say so; what comes back is of the same type.
  const toJson = (value: T): JSONValue => value as JSONValue;
  const fromJson = (value: JSONValue): T => value as T;
  return Object.freeze({
    get schema() {
      return schema();
    },
    validate: (value: T, { path, previous }: TypedValidateOptions<T> = {}) =>
      check(schema(), toJson(value), { traits, path, previous: previous === undefined ? undefined : toJson(previous) }),
    applyDefaults: (value: T) => fromJson(applyDefaults(schema(), toJson(value))),
    prune: (value: T) => {
      const pruned = prune(schema(), toJson(value), { isResourceRoot: traits.scope !== undefined });
      return { value: fromJson(pruned.value), unknownFields: pruned.unknownFields };
    },
  });
}

interface CheckOptions extends TypedValidateOptions<JSONValue> {
  readonly traits: SchemaTraits;
}

function check(schema: JsonSchema, value: JSONValue, { traits, path, previous }: CheckOptions): readonly FieldError[] {
  const { scope, rules } = traits;
  const metadata = scope === undefined ? [] : metadataErrors(value, scope);
  const errors = validate(schema, value, { path, previous });
  if (rules === undefined) return [...metadata, ...errors];
  const checkRules = (): readonly FieldError[] =>
    rules(schema, value, {
      isResourceRoot: scope !== undefined,
      ...(path === undefined ? {} : { path }),
      ...(previous === undefined ? {} : { previous }),
    }).errors;
  return [...metadata, ...withRuleErrors(errors, checkRules)];
}

function metadataErrors(object: JSONValue, scope: KindScope): readonly FieldError[] {
  const metadata = isJsonObject(object) ? memberOf(object, "metadata") : undefined;
  if (metadata !== undefined && !isJsonObject(metadata)) return [];
  const isNamespaced = scope === "Namespaced";
  return validateObjectMeta(withRequestFields(metadata ?? {}, isNamespaced), {
    path: "metadata",
    isNamespaced,
    nameRule: subdomainErrors,
  });
}

// What a server takes from the request, or makes, before it looks at the metadata.
function withRequestFields(metadata: JsonObject, isNamespaced: boolean): JsonObject {
  const generateName = memberOf(metadata, "generateName");
  const name = memberOf(metadata, "name") ?? "";
  const namespace = memberOf(metadata, "namespace") ?? "";
  return {
    ...metadata,
    ...(name === "" && typeof generateName === "string" && generateName !== "" ? { name: `${generateName}x` } : {}),
    ...(isNamespaced && namespace === "" ? { namespace: "default" } : {}),
  };
}

function subdomainErrors(name: string, isPrefix: boolean): readonly string[] {
  return dns1123SubdomainErrors(isPrefix ? maskTrailingDash(name) : name);
}
