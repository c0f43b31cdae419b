import { goTypeName, type JSONValue } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject } from "../../json/json-value.ts";
import { itemsOf, type JsonSchema } from "../../model/json-schema.ts";
import { CelError, type CelValue } from "./cel-value.ts";
import { readSchemaDate, readSchemaDateTime, readSchemaDuration } from "./read-time.ts";
import { isEmbeddedResource, withResourceFields } from "./resource-fields.ts";
import { SchemaList } from "./schema-list.ts";
import { SchemaMap } from "./schema-map.ts";
import { UnknownValue } from "./unknown-value.ts";

/**
 * Turns a value into what rules see of it, lazily: fields and elements are looked at when a rule reads them, by their schemas.
 *
 * `isResourceRoot` shows what every resource has, as for {@link declareType}. A value that its schema would reject becomes an error.
 */
export function toCelValue(
  json: JSONValue | undefined,
  schema: JsonSchema,
  options: { readonly isResourceRoot?: boolean } = {},
): CelValue {
  return valueOf(json, options.isResourceRoot === true ? withResourceFields(schema) : schema);
}

/** Turns what a map or list holds into a value. */
export function valueOf(json: JSONValue | undefined, schema: JsonSchema): CelValue {
  if (json === null || json === undefined) {
    return schema.nullable === true ? null : new CelError("invalid data, got null for schema with nullable=false");
  }
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString(json);
  switch (schema.type) {
    case "object":
      return objectValue(json, schema);
    case "array":
      return listValue(json, schema);
    case "string":
      return typeof json === "string" ? textValue(json, schema.format) : mismatch("string", json);
    case "number":
      if (typeof json === "bigint") return Number(json);
      return typeof json === "number" ? json : mismatch("float", json);
    case "integer":
      if (typeof json === "bigint") return json;
      return typeof json === "number" && Number.isInteger(json) ? BigInt(json) : mismatch("int", json);
    case "boolean":
      return typeof json === "boolean" ? json : mismatch("bool", json);
    default:
      return schema["x-kubernetes-preserve-unknown-fields"] === true ? new UnknownValue(json) : noType(schema);
  }
}

function intOrString(json: JSONValue): CelValue {
  if (typeof json === "string" || typeof json === "bigint") return json;
  if (typeof json === "number" && Number.isInteger(json)) return BigInt(json);
  return new CelError("invalid data, expected XIntOrString value to be either a string or integer");
}

function objectValue(json: JSONValue, schema: JsonSchema): CelValue {
  if (!isJsonObject(json)) return new CelError("invalid data, expected a map for the provided schema with type=object");
  return new SchemaMap(json, isEmbeddedResource(schema) ? withResourceFields(schema) : schema, valueOf);
}

function listValue(json: JSONValue, schema: JsonSchema): CelValue {
  if (!isJsonList(json)) return new CelError("invalid data, expected an array for the provided schema with type=array");
  const items = itemsOf(schema);
  if (items === undefined) return new CelError("invalid array type, expected Items with a non-empty Schema");
  return new SchemaList(json, { items, schema, valueOf });
}

function textValue(text: string, format: string | undefined): CelValue {
  switch (format) {
    case "duration":
      return readSchemaDuration(text) ?? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
    case "date":
      return readSchemaDate(text) ?? new CelError(`Invalid date formatted string ${text}`);
    case "date-time":
      return readSchemaDateTime(text) ?? new CelError(`Invalid date-time formatted string ${text}`);
    case "byte":
      return bytesOf(text) ?? new CelError(`Invalid byte formatted string ${text}: illegal base64 data`);
    default:
      return text;
  }
}

function bytesOf(text: string): Uint8Array | undefined {
  const isBase64 = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?$/.test(
    text.replaceAll(/[\r\n]/g, ""),
  );
  return isBase64 ? Uint8Array.from(Buffer.from(text, "base64url")) : undefined;
}

function mismatch(wanted: string, json: JSONValue): CelError {
  return new CelError(`invalid data, expected ${wanted}, got ${goTypeName(json)}`);
}

function noType({ type = "" }: JsonSchema): CelError {
  const kinds = "object, array, number, integer, boolean or string";
  const others = "or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true";
  return new CelError(`invalid type, expected ${kinds}, ${others}, got ${type}`);
}
