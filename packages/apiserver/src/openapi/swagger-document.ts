import { parseApiVersion, apiVersionOf } from "@kubescaffold/k8s";
import { type JsonObject, isJsonObject } from "@kubescaffold/schema/values";

import { typesOf } from "../discovery/legacy-discovery.ts";
import { type DocumentSource, schemasOf } from "./build-document.ts";
import { generalDocuments } from "./general-documents.ts";
import { answerTypes, DOCUMENT_TYPES, requestTypes } from "./media-types.ts";
import { pathsOf } from "./operation-paths.ts";
import { REFERENCE } from "./references.ts";
import type { Action } from "./resource-operations.ts";

/** Creates the document of version 2, which is one for all resources: kubectl checks the items of a List by it. */
export function swaggerDocument(source: DocumentSource): JsonObject {
  const { registry } = source;
  const groupVersions = [...new Set(registry.all().map((type) => apiVersionOf(type)))].map(parseApiVersion);
  const parts = [
    ...[...generalDocuments(registry, source.hasIssuer).values()].map((make) => make()),
    ...groupVersions.map((groupVersion) => ({
      paths: pathsOf(groupVersion, typesOf(registry, groupVersion)),
      schemas: schemasOf(groupVersion, source),
    })),
  ];
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: registry.release.version.gitVersion },
    paths: mapValues(Object.assign({}, ...parts.map(({ paths }) => paths)), swaggerPath),
    definitions: mapValues(Object.assign({}, ...parts.map(({ schemas }) => schemas)), swaggerSchema),
  };
}

function mapValues(values: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value as JsonObject)]));
}

function swaggerPath({ parameters, ...operations }: JsonObject): JsonObject {
  const shared =
    parameters === undefined ? {} : { parameters: (parameters as readonly Parameter[]).map(flatParameter) };
  return { ...mapValues(operations, operation), ...shared };
}

interface Parameter extends JsonObject {
  readonly schema: JsonObject;
}

interface Operation {
  readonly tags: readonly string[];
  readonly "x-kubernetes-action"?: Action;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Contents }>>;
}

type Contents = Readonly<Record<string, { readonly schema: JsonObject }>>;

// Version 3 states types in schemas, version 2 in parameters and responses themselves.
function operation(value: JsonObject): JsonObject {
  const { parameters = [], requestBody, responses, ...others } = value as unknown as Operation;
  const answers = Object.entries(responses).map(([code, { description, content }]): [string, JsonObject] => [
    code,
    { description, ...(content === undefined ? {} : { schema: swaggerSchema(schemaIn(content)) }) },
  ]);
  const own = [...(requestBody === undefined ? [] : [bodyParameter(requestBody)]), ...parameters.map(flatParameter)];
  return {
    ...others,
    ...mediaTypesOf(value as unknown as Operation),
    ...(own.length === 0 ? {} : { parameters: own }),
    responses: Object.fromEntries(answers),
  };
}

// Version 3 has them in the order of their names, and only for bodies.
function mediaTypesOf(operation: Operation): JsonObject {
  const answered = Object.keys(operation.responses["200"]?.content ?? {});
  const action = operation["x-kubernetes-action"];
  if (action === undefined) {
    const produces = answered.length > 1 ? DOCUMENT_TYPES : answered;
    return operation.tags.some((tag) => ISSUER_TAGS.has(tag)) ? { produces } : { consumes: produces, produces };
  }
  const isCustom = action !== "connect" && !answered.some((type) => type.endsWith("protobuf"));
  return {
    consumes: requestTypes(action, isCustom),
    produces: answerTypes(action, answered.includes("text/plain"), isCustom),
  };
}

const ISSUER_TAGS: ReadonlySet<string> = new Set(["WellKnown", "openid"]);

function schemaIn(content: Contents): JsonObject {
  return Object.values(content)[0]?.schema ?? {};
}

function flatParameter({ schema, ...parameter }: Parameter): JsonObject {
  return { ...parameter, ...schema };
}

function bodyParameter({ required = false, content }: NonNullable<Operation["requestBody"]>): JsonObject {
  return { name: "body", in: "body", ...(required ? { required } : {}), schema: swaggerSchema(schemaIn(content)) };
}

const V2 = "#/definitions/";
const GVK = "x-kubernetes-group-version-kind";
// Keywords without an equivalent in version 2.
const DROPPED: ReadonlySet<string> = new Set(["oneOf", "anyOf", "allOf", "not", "nullable", "default"]);
// Keywords that only a schema with a type may have.
const OF_TYPED = ["type", "items", "properties", "additionalProperties"];

/**
 * Returns a schema of version 3 as version 2 has it.
 *
 * Guarantees: a value that the one allows, the other allows too; what may be null or may have fields that nobody knows is left open.
 */
export function swaggerSchema(schema: JsonObject): JsonObject {
  const { [GVK]: kinds } = schema;
  // Clients that know some fields of an object take all others for errors.
  if (kinds !== undefined && schema["x-kubernetes-preserve-unknown-fields"] === true) {
    return { type: "object", [GVK]: kinds };
  }
  const reference = referenceOf(schema);
  const entries = Object.entries(schema)
    .filter(([key]) => !DROPPED.has(key) && key !== "$ref" && !(isOpen(schema) && OF_TYPED.includes(key)))
    .map(([key, value]) => [key, converted(key, value)] as const);
  const required = requiredOf(schema);
  return {
    ...Object.fromEntries(entries.filter(([key]) => key !== "required")),
    ...(required.length === 0 ? {} : { required }),
    ...(reference === undefined ? alternativeOf(schema) : { $ref: reference.replace(REFERENCE, V2) }),
  };
}

function referenceOf({ $ref, allOf }: JsonObject): string | undefined {
  const [only, ...others] = (allOf ?? []) as readonly JsonObject[];
  const inner = others.length === 0 ? only?.["$ref"] : undefined;
  return ($ref ?? inner) as string | undefined;
}

function isOpen(schema: JsonObject): boolean {
  return schema["nullable"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
}

// Numbers that may be texts, and quantities: clients take any text or number for a text.
function alternativeOf({ type, oneOf }: JsonObject): JsonObject {
  const types = ((oneOf ?? []) as readonly JsonObject[]).map((each) => each["type"]);
  return type === undefined && types.includes("string") ? { type: "string" } : {};
}

// An absent value is no null: what is required may be one only where the schema says so. An open object states no fields of embedded ones.
function requiredOf(schema: JsonObject): readonly string[] {
  const fields = (schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true && isOpen(schema);
  const required = (schema["required"] ?? []) as readonly string[];
  return required.filter((name) => fields[name]?.["nullable"] !== true && !(isEmbedded && EMBEDDED.has(name)));
}

const EMBEDDED: ReadonlySet<string> = new Set(["apiVersion", "kind"]);

function converted(key: string, value: unknown): unknown {
  if (key === "properties") {
    const fields = Object.entries(value as Readonly<Record<string, JsonObject>>);
    return Object.fromEntries(fields.map(([name, field]) => [name, swaggerSchema(field)]));
  }
  const isSchema = (key === "items" || key === "additionalProperties") && isJsonObject(value);
  return isSchema ? swaggerSchema(value) : value;
}
