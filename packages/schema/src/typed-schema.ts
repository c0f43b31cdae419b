import { dns1123SubdomainErrors, type FieldError, type JSONValue, maskTrailingDash } from "@kubescaffold/k8s";

import { applyDefaults } from "./apply-defaults.ts";
import type { JsonSchema } from "./json-schema.ts";
import { isJsonObject, memberOf, type JsonObject } from "./json/json-value.ts";
import { validateObjectMeta } from "./object-meta/validate-object-meta.ts";
import { prune, type Pruned } from "./prune.ts";
import { validate } from "./validate.ts";

/** What the validation of a typed value may be given. */
export interface TypedValidateOptions<T> {
  /** Stands before every path, such as `spec` when the value is the spec of an object. */
  readonly path?: string | undefined;
  /** The value before an update: what was invalid already and has not changed is not reported. */
  readonly previous?: T | undefined;
}

/**
 * Is the schema of a TypeScript type, and what an API server does by it to a value of the type.
 *
 * `scaffold generate` writes one for every kind and the types that it is made of, into `zz_generated.schema.ts`; unit tests and
 * webhooks use it where they would otherwise need a server.
 */
export interface Schema<T> {
  /** The schema as the CRD has it, without descriptions. */
  readonly schema: JsonSchema;
  /** Returns what a server would refuse the value for; empty for a valid one. The value is not changed. */
  readonly validate: (value: T, options?: TypedValidateOptions<T>) => readonly FieldError[];
  /** Returns the value with the defaults that a server would fill in; the value itself when there are none. */
  readonly applyDefaults: (value: T) => T;
  /** Returns the value without the fields that a server would drop, and the paths of those. */
  readonly prune: (value: T) => Pruned<T>;
}

/** Where the objects of a kind live. */
export type KindScope = "Namespaced" | "Cluster";

/**
 * Defines the schema of a type that is part of an object; `make` is called on first use.
 *
 * @example
 * const PortSchema: Schema<Port> = defineSchema(() => ({ type: "object", properties: { number: { type: "integer", default: 80 } } }));
 * PortSchema.applyDefaults({}); // { number: 80 }
 */
export function defineSchema<T>(make: () => JsonSchema): Schema<T> {
  return typedSchema<T>(make, {
    isKind: false,
    check: (schema, value, options) => validate(schema, value, options),
  });
}

/**
 * Defines the schema of a kind, whose objects have metadata: its names, labels and references are checked too.
 *
 * A namespace may be left out, since the request says it; so may the name where `generateName` stands.
 *
 * @example
 * const GuestbookSchema: Schema<Guestbook> = defineKindSchema("Namespaced", () => ({ type: "object", properties: {} }));
 * expect(GuestbookSchema.validate(guestbook)).toEqual([]);
 */
export function defineKindSchema<T>(scope: KindScope, make: () => JsonSchema): Schema<T> {
  return typedSchema<T>(make, {
    isKind: true,
    check: (schema, value, options) => [...metadataErrors(value, scope), ...validate(schema, value, options)],
  });
}

interface Behaviour {
  readonly isKind: boolean;
  readonly check: (
    schema: JsonSchema,
    value: JSONValue,
    options: TypedValidateOptions<JSONValue>,
  ) => readonly FieldError[];
}

function typedSchema<T>(make: () => JsonSchema, { isKind, check }: Behaviour): Schema<T> {
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
      check(schema(), toJson(value), { path, previous: previous === undefined ? undefined : toJson(previous) }),
    applyDefaults: (value: T) => fromJson(applyDefaults(schema(), toJson(value))),
    prune: (value: T) => {
      const pruned = prune(schema(), toJson(value), { isResourceRoot: isKind });
      return { value: fromJson(pruned.value), unknownFields: pruned.unknownFields };
    },
  });
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
