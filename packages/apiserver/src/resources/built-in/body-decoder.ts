import { type BuiltInApi, definitionKey, type OpenApiSchema } from "@kubescaffold/k8s/schemas";
import { isRecord } from "@kubescaffold/platform";

import { since } from "../../release/rule-release.ts";
import { embeddedStructs } from "./embedded-structs.ts";
import { keptZeros } from "./kept-zeros.ts";
import {
  TypeMismatchError,
  UnreadableScalarError,
  leafDecoder,
  text,
  type DecodeStep,
  type Decoder,
} from "./leaf-decoders.ts";
import { textTypes } from "./text-types.ts";

const PREFIX = "#/components/schemas/";

/** Returns the decoder of a definition of a built-in API, made on first use. */
export function decoderOf(api: BuiltInApi, definitionName: string): Decoder {
  let find = finders.get(api);
  if (find === undefined) {
    find = createFinder(api);
    finders.set(api, find);
  }
  return find(definitionName);
}

const finders = new WeakMap<BuiltInApi, FindDecoder>();

/** Finds the decoder of a definition by its name. */
type FindDecoder = (definitionName: string) => Decoder;

function createFinder(api: BuiltInApi): FindDecoder {
  const decoders = new Map<string, Decoder>();
  const find: FindDecoder = (name) => {
    let decoder = decoders.get(name);
    if (decoder === undefined) {
      // The entry comes first, since definitions may contain themselves.
      let compiled: Decoder | undefined;
      decoder = (value, step) => {
        compiled ??= compileDefinition(name, api, find);
        return compiled(value, step);
      };
      decoders.set(name, decoder);
    }
    return decoder;
  };
  return find;
}

function compileDefinition(name: string, api: BuiltInApi, find: FindDecoder): Decoder {
  const schema = api.schema(name);
  const leaf = leafDecoder(name);
  if (leaf !== undefined) {
    return leaf;
  }
  const union = unionDecoder(name, find);
  if (union !== undefined) {
    return union;
  }
  if (schema === undefined) {
    return keep;
  }
  const decode = compile(schema, name.slice(name.lastIndexOf(".") + 1), { find, facts: factsOf(name) });
  return name.startsWith(CRD_PACKAGE) ? withZeros(decode, schema) : decode;
}

/** Returns the schema of a definition without defaults that Go does not print: the zero values of fields that it leaves out when they are empty. */
export function withoutZeroDefaults(definition: string, schema: OpenApiSchema): OpenApiSchema {
  const kept = keptZerosOf(definition);
  const entries = Object.entries(schema.properties ?? {});
  const isDropped = (name: string, { default: value }: OpenApiSchema): boolean =>
    (value === "" || value === 0 || value === false) && kept?.has(name) === false;
  if (!entries.some(([name, property]) => isDropped(name, property))) return schema;
  const properties = entries.map(([name, property]): readonly [string, OpenApiSchema] => {
    const { default: _zero, ...others } = property;
    return [name, isDropped(name, property) ? others : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** What Go's struct of a definition tells beyond its schema. */
interface StructFacts {
  /** The texts, numbers, and flags that are stored when they are zero. */
  readonly keptZeros: ReadonlySet<string>;
  /** The name of the struct, with its group and version. */
  readonly goName: string;
}

function factsOf(definition: string): StructFacts | undefined {
  const kept = keptZerosOf(definition);
  return kept === undefined ? undefined : { keptZeros: kept, goName: definitionKey(definition) };
}

let zeroTable: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Returns the texts, numbers, and flags of a definition that are stored when they are zero; undefined for one that Go does not have. */
function keptZerosOf(definition: string): ReadonlySet<string> | undefined {
  zeroTable ??= tableOf(keptZeros, (fields) => new Set(fields));
  return definition.startsWith("io.k8s.") ? (zeroTable.get(definitionKey(definition)) ?? NO_FIELDS) : undefined;
}

interface EmbeddedStruct {
  readonly name: string;
  /** The fields of the outer struct itself. */
  readonly own: ReadonlySet<string>;
}

let embeddedTable: ReadonlyMap<string, EmbeddedStruct> | undefined;

// Errors name the structs that others embed, `VolumeSource.secret`, since Kubernetes 1.35 reads JSON with sigs.k8s.io/json of July 2025.
function goFieldOf(struct: string, field: string): string {
  embeddedTable ??= tableOf(embeddedStructs, ([name = "", ...own]) => ({ name, own: new Set(own) }));
  const embedded = embeddedTable.get(struct);
  if (embedded === undefined || embedded.own.has(field) || !since("1.35")) return field;
  const inner = `${struct.slice(0, struct.lastIndexOf("."))}.${embedded.name}`;
  return `${embedded.name}.${goFieldOf(inner, field)}`;
}

let textTable: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;

// Errors of Go name the types of texts, of lists of texts, and of maps.
function textTypeOf(struct: string, field: string): string | undefined {
  textTable ??= tableOf(textTypes, (fields) => new Map(fields.map((each) => splitAt(each, each.indexOf(":")))));
  embeddedTable ??= tableOf(embeddedStructs, ([name = "", ...own]) => ({ name, own: new Set(own) }));
  const embedded = embeddedTable.get(struct);
  return embedded === undefined || embedded.own.has(field)
    ? textTable.get(struct)?.get(field)
    : textTypeOf(`${struct.slice(0, struct.lastIndexOf("."))}.${embedded.name}`, field);
}

const splitAt = (text: string, index: number): readonly [string, string] => [
  text.slice(0, index),
  text.slice(index + 1),
];

function tableOf<Value>(text: string, valueOf: (fields: readonly string[]) => Value): ReadonlyMap<string, Value> {
  return new Map(
    text.split("\n").map((line): readonly [string, Value] => {
      const [struct = "", ...fields] = line.split("|");
      return [struct, valueOf(fields)];
    }),
  );
}

const NO_FIELDS: ReadonlySet<string> = new Set();

// Required texts and flags of definitions are stored, and checked, as their zero values when they are absent.
function withZeros(decode: Decoder, { properties = {}, required = [] }: OpenApiSchema): Decoder {
  const zeros = required.flatMap((name) => {
    const type = properties[name]?.type;
    return type === "string" || type === "boolean" ? [[name, zeroOf({ type })] as const] : [];
  });
  if (zeros.length === 0) {
    return decode;
  }
  return (value, step) => {
    const decoded = decode(value, step);
    if (isRecord(decoded)) {
      for (const [name, zero] of zeros) {
        decoded[name] ??= zero;
      }
    }
    return decoded;
  };
}

const CRD_PACKAGE = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
const CRD_SCHEMA = `${CRD_PACKAGE}JSONSchemaProps`;

function unionDecoder(name: string, find: FindDecoder): Decoder | undefined {
  const listOf = (items: OpenApiSchema): Decoder => compile({ type: "array", items }, "JSONSchemaProps", { find });
  switch (name) {
    case `${CRD_SCHEMA}OrBool`:
      return schemaOrBool(find(CRD_SCHEMA));
    case `${CRD_SCHEMA}OrArray`:
      return schemaOrList(find(CRD_SCHEMA), listOf({ $ref: `${PREFIX}${CRD_SCHEMA}` }));
    case `${CRD_SCHEMA}OrStringArray`:
      return schemaOrList(find(CRD_SCHEMA), listOf({ type: "string" }));
    default:
      return undefined;
  }
}

function schemaOrBool(decodeSchema: Decoder): Decoder {
  return (value, step) => {
    if (value === null || typeof value === "boolean") {
      return value ?? undefined;
    }
    if (!isRecord(value)) {
      throw new UnreadableScalarError("boolean or JSON schema expected");
    }
    return decodeSchema(value, step);
  };
}

// Upstream reads every other value as a union without content, which counts as absent everywhere.
function schemaOrList(decodeSchema: Decoder, decodeList: Decoder): Decoder {
  return (value, step) => {
    if (isRecord(value)) {
      return decodeSchema(value, step);
    }
    return Array.isArray(value) && value.length > 0 ? decodeList(value, step) : undefined;
  };
}

const keep: Decoder = (value) => value ?? undefined;

interface CompileOptions {
  readonly find: FindDecoder;
  readonly facts?: StructFacts | undefined;
  /** The name of the type in Go, where it is a text, a list of texts, or a map with its own name. */
  readonly goType?: string | undefined;
}

function compile(schema: OpenApiSchema, struct: string, options: CompileOptions): Decoder {
  const ref = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  if (ref !== undefined) {
    return options.find(ref.slice(PREFIX.length));
  }
  switch (schema.type) {
    case "object":
      return compileObject(schema, struct, options);
    case "array":
      return compileArray(schema, struct, options);
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return leafDecoder(schema.type, schema.format, options.goType) ?? keep;
    default:
      return keep;
  }
}

function compileObject(schema: OpenApiSchema, struct: string, options: CompileOptions): Decoder {
  if (schema.properties !== undefined) {
    return compileStruct(schema, struct, options);
  }
  return schema.additionalProperties === undefined ? keep : compileMap(schema.additionalProperties, struct, options);
}

interface Field {
  readonly decode: Decoder;
  /** The name in errors of Go. */
  readonly goName: string;
  /** Whether an empty list or map counts as absent. */
  readonly omitsEmpty: boolean;
  /** Whether the field is a list of bytes. */
  readonly isBytes: boolean;
  /** Whether an empty text, zero, and false count as absent. */
  readonly omitsZero: boolean;
}

// Optional lists and maps that are stored although they are empty.
const KEPT_EMPTY: ReadonlySet<string> = new Set([
  "Role.rules",
  "ClusterRole.rules",
  "EndpointSlice.ports",
  "HPAScalingRules.policies",
]);

function compileStruct(schema: OpenApiSchema, struct: string, { find, facts }: CompileOptions): Decoder {
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isOptional = schema.required?.includes(name) !== true && !KEPT_EMPTY.has(`${struct}.${name}`);
    fields.set(name, {
      decode: compile(property, struct, {
        find,
        goType: facts === undefined ? undefined : textTypeOf(facts.goName, name),
      }),
      omitsEmpty: isOptional && isListOrMap(property),
      omitsZero: facts !== undefined && !facts.keptZeros.has(name) && isScalar(property),
      isBytes: property.format === "byte",
      goName: facts === undefined ? name : goFieldOf(facts.goName, name),
    });
  }
  return (value, step) => {
    if (value === null) {
      return undefined;
    }
    if (!isRecord(value)) {
      throw new TypeMismatchError({ value, step, goType: `v1.${struct}`, kind: "struct" });
    }
    for (const name of Object.keys(value)) {
      const field = fields.get(name);
      const given = value[name];
      if (field?.decode === text && typeof given === "string" && given !== "") continue;
      const decoded = decodeField(field, given, step.field(name, field?.goName ?? name, struct));
      if (decoded === undefined) {
        delete value[name];
      } else {
        value[name] = decoded;
      }
    }
    return value;
  };
}

function decodeField(field: Field | undefined, value: unknown, step: DecodeStep): unknown {
  const { unknownFields, emptyFields } = step.decoding;
  if (field === undefined) {
    unknownFields.push(step.path);
    return undefined;
  }
  const decoded = field.decode(value, step);
  if (field.omitsZero && (decoded === "" || decoded === 0 || decoded === false)) {
    if (field.isBytes) emptyFields.push(step.path);
    return undefined;
  }
  if (!field.omitsEmpty || !isEmpty(decoded) || KEPT_PATHS.test(step.path)) return decoded;
  emptyFields.push(step.path);
  return undefined;
}

// Lists that mean something although they are empty: owners are reset, and other fields are refused.
const KEPT_PATHS =
  /^metadata\.managedFields$|^spec\.overhead$|(?:\.volumeClaimTemplate|^spec)\.metadata\.(?:ownerReferences|finalizers|managedFields)$|(?:^|\.)spec\.resources\.claims$|\.ephemeralContainers\[\d+\]\.(?:ports|restartPolicyRules|resizePolicy|resources\.(?:claims|limits|requests))$/u;

function isScalar({ type, $ref, allOf }: OpenApiSchema): boolean {
  return (
    $ref === undefined &&
    allOf === undefined &&
    (type === "string" || type === "integer" || type === "number" || type === "boolean")
  );
}

function isListOrMap({ type, additionalProperties }: OpenApiSchema): boolean {
  return type === "array" || (type === "object" && additionalProperties !== undefined);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function compileMap(
  valueSchema: OpenApiSchema,
  struct: string,
  { find, goType = `map[string]${goTypeOf(valueSchema)}` }: CompileOptions,
): Decoder {
  const valueType = /^map\[[^\]]*\](.+)$/u.exec(goType)?.[1];
  const decode = compile(valueSchema, struct, { find, goType: valueType });
  const zero = zeroOf(valueSchema);
  return (value, step) => {
    if (value === null) {
      return undefined;
    }
    if (!isRecord(value)) {
      throw new TypeMismatchError({ value, step, goType, kind: "map" });
    }
    for (const name of Object.keys(value)) {
      if (decode === text && typeof value[name] === "string") continue;
      value[name] = decode(value[name], step.entry(name)) ?? zero;
    }
    return value;
  };
}

function compileArray(
  schema: OpenApiSchema,
  struct: string,
  { find, goType = `[]${goTypeOf(schema.items ?? {})}` }: CompileOptions,
): Decoder {
  const items = schema.items ?? {};
  const decode = compile(items, struct, { find, goType: goType.slice("[]".length) });
  const zero = zeroOf(items);
  return (value, step) => {
    if (value === null) {
      return undefined;
    }
    if (!Array.isArray(value)) {
      throw new TypeMismatchError({ value, step, goType, kind: "slice" });
    }
    return value.map((item: unknown, index) => decode(item, step.item(index)) ?? zero);
  };
}

function zeroOf(schema: OpenApiSchema): unknown {
  if (refOf(schema)?.endsWith(".resource.Quantity") === true) return "0";
  switch (schema.type) {
    case "string":
      return "";
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
    case undefined:
      return {};
  }
}

function refOf({ $ref, allOf }: OpenApiSchema): string | undefined {
  return $ref ?? allOf?.[0]?.$ref;
}

/** Names a schema as Go names its type. */
function goTypeOf(schema: OpenApiSchema): string {
  const ref = refOf(schema);
  if (ref !== undefined) {
    return `v1.${ref.slice(ref.lastIndexOf(".") + 1)}`;
  }
  switch (schema.type) {
    case "boolean":
      return "bool";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    case "array":
      return `[]${goTypeOf(schema.items ?? {})}`;
    case "object":
      return schema.additionalProperties === undefined
        ? "map[string]interface {}"
        : `map[string]${goTypeOf(schema.additionalProperties)}`;
    case "string":
      return schema.format === "byte" ? "[]uint8" : "string";
    default:
      return "interface {}";
  }
}
