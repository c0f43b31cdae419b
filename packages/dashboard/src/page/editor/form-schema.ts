import { plural } from "../parts/format.ts";

/** The parts of an OpenAPI v3 schema that a form uses. */
export interface FormSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly additionalProperties?: FormSchema | boolean;
  readonly items?: FormSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly allOf?: readonly FormSchema[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

/** How a form edits a value. `yaml`: as text, since its schema allows anything. */
export type FieldKind =
  | "object"
  | "map"
  | "array"
  | "enum"
  | "boolean"
  | "integer"
  | "number"
  | "int-or-string"
  | "string"
  | "yaml";

/** Where a value is in an object. */
export type FieldPath = readonly (string | number)[];

const STRING: FormSchema = { type: "string" };

/** The part of `metadata` that a person writes. */
const METADATA: FormSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { ...STRING, description: "Unique in the namespace." },
    namespace: STRING,
    labels: { type: "object", additionalProperties: STRING },
    annotations: { type: "object", additionalProperties: STRING },
  },
};

/** Returns the schema of the form of a kind: name and labels, and everything but the status. */
export function formSchemaOf(schema: FormSchema, isNamespaced: boolean): FormSchema {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, status: _status, ...rest } = schema.properties ?? {};
  const { name, namespace, ...others } = METADATA.properties ?? {};
  const metadata: FormSchema = {
    ...METADATA,
    properties: {
      ...(name === undefined ? {} : { name }),
      ...(isNamespaced && namespace !== undefined ? { namespace } : {}),
      ...others,
    },
  };
  // Required properties come first in a form, and metadata before them.
  const required = ["metadata", ...(schema.required ?? []).filter((name) => name in rest)];
  return { ...schema, description: "", required, properties: { metadata, ...rest } };
}

/** Returns how a form edits values of a schema. */
export function fieldKindOf(schema: FormSchema): FieldKind {
  if (schema["x-kubernetes-int-or-string"] === true) return "int-or-string";
  if (schema.enum !== undefined) return "enum";
  switch (schema.type) {
    case "boolean":
    case "integer":
    case "number":
    case "string":
      return schema.type;
    case "array":
      return schema.items === undefined ? "yaml" : "array";
    default:
      return objectKindOf(schema);
  }
}

function objectKindOf({ properties, additionalProperties, ...schema }: FormSchema): FieldKind {
  if (properties !== undefined && Object.keys(properties).length > 0) return "object";
  if (typeof additionalProperties === "object" && schema["x-kubernetes-preserve-unknown-fields"] !== true) return "map";
  return "yaml";
}

/** Merges the schema that OpenAPI documents put around a reference: `allOf` with one element. */
export function plainSchema(schema: FormSchema): FormSchema {
  const [only, ...others] = schema.allOf ?? [];
  return only === undefined || others.length > 0 ? schema : { ...only, ...schema };
}

/** Describes the type and the limits of a field: `integer, int32, at least 1`. */
export function constraintsOf(schema: FormSchema): string {
  const { format, pattern, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const kind = fieldKindOf(schema);
  const parts = [
    TYPE_NAMES[kind],
    format,
    minimum === undefined ? undefined : `at least ${String(minimum)}`,
    maximum === undefined ? undefined : `at most ${String(maximum)}`,
    minLength === undefined ? undefined : `at least ${plural(minLength, "character")}`,
    maxLength === undefined ? undefined : `at most ${plural(maxLength, "character")}`,
    minItems === undefined ? undefined : `at least ${plural(minItems, "item")}`,
    maxItems === undefined ? undefined : `at most ${plural(maxItems, "item")}`,
    pattern === undefined ? undefined : `matches ${pattern}`,
  ];
  return parts.filter(Boolean).join(", ");
}

const TYPE_NAMES: Readonly<Record<FieldKind, string>> = {
  object: "",
  map: "map",
  array: "list",
  enum: "",
  boolean: "",
  integer: "integer",
  number: "number",
  "int-or-string": "integer or string",
  string: "string",
  yaml: "any value, as YAML",
};

/** Reads what a person typed into a field. A text that is not a number stays a text, so that the server says what is wrong with it. */
export function parseInput(kind: FieldKind, text: string): unknown {
  if (kind === "string" || kind === "enum") return text;
  if (/^-?\d+$/u.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  if (kind === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** Returns a first value for a field that a person adds. */
export function initialValue(schema: FormSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  switch (fieldKindOf(schema)) {
    case "object":
      return requiredProperties(schema);
    case "map":
    case "yaml":
      return {};
    case "array":
      return [];
    case "enum":
      return schema.enum?.[0] ?? "";
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "int-or-string":
    case "string":
      return "";
  }
}

function requiredProperties({ properties = {}, required = [] }: FormSchema): Record<string, unknown> {
  return Object.fromEntries(
    required.flatMap((name) => {
      const property = properties[name];
      return property === undefined || property.default !== undefined
        ? []
        : [[name, initialValue(plainSchema(property))]];
    }),
  );
}
