import { type BuiltInApi, builtInApi } from "./built-in-api.ts";
import { definitionKey, referenceIn } from "./built-in-schemas.ts";
import type { OpenApiSchema } from "./open-api-schema.ts";
import { structSchema, type StructSchema } from "./struct-schemas.ts";

/**
 * The descriptions of the built-in types of a Kubernetes release. They are not part of this package: `scaffold k8s-docs` downloads them.
 */
export interface Descriptions {
  /** The release, such as `v1.35.4`. */
  readonly release: string;
  /** The API server or package that they come from. */
  readonly source: string;
  /** The types by group, version, and name, such as `core/v1.Container`. */
  readonly types: TypeDescriptions;
}

/** Descriptions of types by group, version, and name. */
export type TypeDescriptions = Readonly<Record<string, TypeDescription>>;

/** The description of a type, and those of its fields. */
export interface TypeDescription {
  /** The description of the type itself. */
  readonly text?: string;
  /** By the names of the fields; `name[]` is the elements of a list or map. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Returns the descriptions in the schemas of an OpenAPI document, by the names of its definitions. */
export function descriptionsIn(definitions: Readonly<Record<string, DescribedSchema>>): TypeDescriptions {
  const entries = Object.entries(definitions).map(([name, { description, properties = {} }]) => {
    const texts = Object.entries(properties).flatMap(([field, schema]) =>
      isText(schema.description) ? [[field, schema.description] as const] : [],
    );
    return [
      definitionKey(name),
      {
        ...(isText(description) ? { text: description } : {}),
        ...(texts.length === 0 ? {} : { fields: Object.fromEntries(texts) }),
      },
    ] as const;
  });
  return Object.fromEntries(entries.filter(([, described]) => Object.keys(described).length > 0));
}

/** A schema of an OpenAPI document of a server, of which only descriptions are read. */
export interface DescribedSchema {
  /** The description of the type. */
  readonly description?: unknown;
  /** The fields with their descriptions. */
  readonly properties?: Readonly<Record<string, { readonly description?: unknown }>>;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns the schema of a definition with its descriptions, as servers publish it. */
export function describeDefinition(name: string, schema: OpenApiSchema, types: TypeDescriptions): OpenApiSchema {
  const described = typeOf(types, definitionKey(name));
  if (described === undefined) return schema;
  const { text, fields = {} } = described;
  return {
    ...(text === undefined ? {} : { description: text }),
    ...schema,
    ...(schema.properties === undefined
      ? {}
      : {
          properties: mapEntries(schema.properties, (property, field) => {
            const own = textOf(fields, field);
            return own === undefined ? property : { description: own, ...property };
          }),
        }),
  };
}

/**
 * Returns {@link structSchema} with descriptions, as controller-gen writes them into CRDs: a field has its own description, or else that of
 * its type.
 *
 * Guarantees: the result is frozen and the same object at each call with the same descriptions.
 */
export function describedStructSchema(
  name: string,
  types: TypeDescriptions,
  release: DescribedRelease = DEFAULT_RELEASE,
): StructSchema | undefined {
  const known = DESCRIBED.get(types) ?? new Map<string, StructSchema | undefined>();
  DESCRIBED.set(types, known);
  const key = `${release.api.minor} ${name}`;
  if (!known.has(key)) {
    const schema = release.structSchema(name);
    known.set(key, schema === undefined ? undefined : describeType(name, schema, { types, api: release.api }));
  }
  return known.get(key);
}

/** The structs and the built-in API of a minor version of Kubernetes. */
export interface DescribedRelease {
  /** Returns the schema of a struct. */
  readonly structSchema: (name: string) => StructSchema | undefined;
  /** The built-in API of the same version. */
  readonly api: BuiltInApi;
}

const DEFAULT_RELEASE: DescribedRelease = { structSchema, api: builtInApi };

interface Sources {
  readonly types: TypeDescriptions;
  readonly api: BuiltInApi;
}

const DESCRIBED = new WeakMap<TypeDescriptions, Map<string, StructSchema | undefined>>();

// Types whose schema controller-gen knows by itself have no description.
const UNDESCRIBED: ReadonlySet<string> = new Set([
  ...["Duration", "Fields", "MicroTime", "ObjectMeta", "Time"].map((name) => `meta/v1.${name}`),
  "api/resource.Quantity",
  "apiextensions/v1.JSON",
  "pkg/runtime.RawExtension",
  "util/intstr.IntOrString",
]);

function describeType(key: string, schema: StructSchema, { types, api }: Sources): StructSchema {
  if (UNDESCRIBED.has(key)) return schema;
  const properties = schema["properties"] as Readonly<Record<string, StructSchema>> | undefined;
  const host = hostOf(key, Object.keys(properties ?? {}), api);
  const definition = host === undefined ? undefined : api.definitionOf(host);
  const { text, fields = typeOf(types, host ?? key)?.fields ?? {} } = typeOf(types, key) ?? {};
  return Object.freeze({
    ...schema,
    ...(text === undefined ? {} : { description: text }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.freeze(
            mapEntries(properties, (property, field) => {
              const own = textOf(fields, field);
              const described = describeUse(property, definition?.properties?.[field], { types, api });
              const complete = describeElements(described, textOf(fields, `${field}[]`));
              return own === undefined ? complete : Object.freeze({ ...complete, description: own });
            }),
          ),
        }),
  });
}

// OpenAPI has no definition of a struct that is only embedded in others, whose fields are theirs.
function hostOf(key: string, fields: readonly string[], api: BuiltInApi): string | undefined {
  if (api.definitionOf(key) !== undefined) return key;
  if (fields.length === 0) return undefined;
  const definitions = Object.entries(api.definitionsOf(key.slice(0, key.indexOf("."))));
  const found = definitions.find(([, { properties = {} }]) =>
    fields.every((field) => Object.hasOwn(properties, field)),
  );
  return found === undefined ? undefined : definitionKey(found[0]);
}

function describeElements(schema: StructSchema, description: string | undefined): StructSchema {
  const key = ELEMENTS.find((each) => typeof schema[each] === "object");
  if (description === undefined || key === undefined) return schema;
  return Object.freeze({ ...schema, [key]: Object.freeze({ ...(schema[key] as StructSchema), description }) });
}

const ELEMENTS = ["items", "additionalProperties"] as const;

// The schemas of structs do not tell the names of the types in them; the definitions of OpenAPI do.
function describeUse(schema: StructSchema, use: OpenApiSchema | undefined, sources: Sources): StructSchema {
  if (use === undefined) return schema;
  const reference = referenceIn(use);
  if (reference !== undefined) return describeType(definitionKey(reference), schema, sources);
  for (const inner of ELEMENTS) {
    const element = schema[inner];
    if (typeof element !== "object" || element === null || use[inner] === undefined) continue;
    return Object.freeze({ ...schema, [inner]: describeUse(element as StructSchema, use[inner], sources) });
  }
  return schema;
}

function typeOf(types: TypeDescriptions, key: string): TypeDescription | undefined {
  return Object.hasOwn(types, key) ? types[key] : undefined;
}

function textOf(fields: Readonly<Record<string, string>>, field: string): string | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

function mapEntries<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T, key: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}
