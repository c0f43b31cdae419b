import { additionalSchemaOf, itemsOf, type JsonSchema } from "../../model/json-schema.ts";
import { times } from "../cost/ranges.ts";
import { declaredTypeAt, declareType, type DeclaredType } from "../expressions/declared-type.ts";
import { escapePropertyName } from "../values/property-names.ts";
import { isEmbeddedResource } from "../values/resource-fields.ts";

/** A schema within a definition, with what its rules depend on beyond itself. */
export interface RuleScope {
  readonly schema: JsonSchema;
  readonly path: string;
  /** How often a value of the schema can occur, by the bounds above it; undefined where one is missing. */
  readonly repetitions: bigint | undefined;
  /** The place where items of the old and the new object cannot be matched; undefined if all can. */
  readonly uncorrelatable: string | undefined;
  /** Returns what the values are declared as; undefined where CEL cannot see them. */
  readonly declared: () => DeclaredType | undefined;
  /** Whether this schema or one above has rules. */
  readonly isRuled: boolean;
  /** Whether the names in metadata have a bound. */
  readonly boundsNames: boolean;
  /** The way from the root of the definition, for people: `spec.items[]`. */
  readonly trail: readonly TrailStep[];
}

/** One step from the root of a definition to a part of it. */
interface TrailStep {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Returns the scope of a whole definition; `boundsNames` tells whether the names in metadata have a bound. */
export function rootScope(schema: JsonSchema, path: string, boundsNames = false): RuleScope {
  return {
    schema,
    path,
    repetitions: 1n,
    uncorrelatable: undefined,
    declared: once(() => declareType(schema, { isResourceRoot: true, boundsNames })),
    isRuled: hasRules(schema),
    boundsNames,
    trail: [{ name: "", schema }],
  };
}

/** Reports whether a schema has rules itself. */
export function hasRules(schema: JsonSchema): boolean {
  return (schema["x-kubernetes-validations"] ?? []).length > 0;
}

/** Returns the scopes below one, in upstream's order: members of a map, properties, items. */
export function childScopes(scope: RuleScope): readonly RuleScope[] {
  const { schema, path } = scope;
  const additional = additionalSchemaOf(schema);
  const items = itemsOf(schema);
  const mapType = schema["x-kubernetes-map-type"];
  const isCorrelatable = mapType === undefined || mapType === "granular" || mapType === "atomic";
  return [
    ...(additional === undefined
      ? []
      : [child(scope, additional, { path: `${path}.additionalProperties`, name: "{}", step: "@values" })]),
    ...Object.entries(schema.properties ?? {}).map(([name, property]) =>
      child(scope, property, {
        path: `${path}.properties[${name}]`,
        name: `.${name}`,
        step: escapePropertyName(name),
        ...(isCorrelatable ? {} : { uncorrelatable: path }),
      }),
    ),
    ...(items === undefined
      ? []
      : [
          child(scope, items, {
            path: `${path}.items`,
            name: "[]",
            step: "@items",
            ...(schema["x-kubernetes-list-type"] === "map" ? {} : { uncorrelatable: path }),
          }),
        ]),
  ];
}

interface Step {
  readonly path: string;
  readonly name: string;
  /** How CEL gets there; undefined where it has no name for it. */
  readonly step: string | undefined;
  readonly uncorrelatable?: string;
}

function child(parent: RuleScope, schema: JsonSchema, { path, name, step, uncorrelatable }: Step): RuleScope {
  const factor = factorOf(parent.schema);
  const { repetitions } = parent;
  return {
    schema,
    path,
    repetitions: repetitions === undefined || factor === undefined ? undefined : product(repetitions, factor),
    uncorrelatable: uncorrelatable ?? parent.uncorrelatable,
    declared: once(() => declaredBelow(parent, schema, step)),
    isRuled: parent.isRuled || hasRules(schema),
    boundsNames: parent.boundsNames,
    trail: [...parent.trail, { name, schema }],
  };
}

// Below other rules the view is theirs; a schema that they cannot see has one of its own.
function declaredBelow(parent: RuleScope, schema: JsonSchema, step: string | undefined): DeclaredType | undefined {
  if (parent.isRuled) {
    const above = parent.declared();
    if (above === undefined) {
      return undefined;
    }
    const found = step === undefined ? undefined : declaredTypeAt(above, [step]);
    if (found !== undefined) {
      return found;
    }
  }
  return declareType(schema, { isResourceRoot: isEmbeddedResource(schema), boundsNames: parent.boundsNames });
}

function product(left: bigint, right: bigint): bigint {
  return left === 0n ? 0n : times(left, right);
}

function factorOf(schema: JsonSchema): bigint | undefined {
  if (schema.type === "array") {
    return boundOf(schema.maxItems);
  }
  return schema.type === "object" && schema.additionalProperties !== undefined ? boundOf(schema.maxProperties) : 1n;
}

function boundOf(bound: number | undefined): bigint | undefined {
  if (bound === undefined) return undefined;
  return bound > 0 ? BigInt(bound) : 0n;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
