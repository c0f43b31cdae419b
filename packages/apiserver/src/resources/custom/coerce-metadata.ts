import { fieldErrorToString, invalidField, type JSONValue } from "@kubescaffold/k8s";
import {
  additionalSchemaOf,
  coerceObjectMeta,
  itemsOf,
  objectMetaTypeProblem,
  propertyOf,
  unknownObjectMetaFields,
  type JsonSchema,
} from "@kubescaffold/schema";

import { badRequest } from "../../request/failures.ts";
import { isJsonObject } from "../../request/json.ts";
import type { ApiObject } from "../../storage/api-object.ts";

/** Reads the metadata of a custom resource by its type: unknown fields go, and are collected; fails with 400 for wrong types. */
export function coerceMetadata(object: ApiObject, unknownFields: string[]): ApiObject {
  const metadata = dropEmpty(object.metadata as Record<string, unknown>) as never;
  const problem = objectMetaTypeProblem(metadata);
  if (problem !== undefined) {
    throw unreadable(object, problem);
  }
  unknownFields.push(...unknownObjectMetaFields(metadata).map((path) => `metadata.${path}`));
  return { ...object, metadata: { ...coerceObjectMeta(metadata) } };
}

/** Does the same, in place, for all objects that a schema embeds in another. */
export function coerceEmbedded(step: {
  readonly root: ApiObject;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: string;
  readonly unknownFields: string[];
}): void {
  const { schema, value, path } = step;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items !== undefined) {
      value.forEach((item, index) =>
        coerceEmbedded({ ...step, schema: items, value: item, path: `${path}[${index}]` }),
      );
    }
    return;
  }
  if (!isJsonObject(value)) {
    return;
  }
  if (schema["x-kubernetes-embedded-resource"] === true) {
    refuseStrangeMetadata(step, value["metadata"] as JSONValue | undefined);
  }
  if (schema["x-kubernetes-embedded-resource"] === true && isJsonObject(value["metadata"])) {
    const metadata = value["metadata"] as never;
    step.unknownFields.push(...unknownObjectMetaFields(metadata).map((name) => `${path}.metadata.${name}`));
    value["metadata"] = { ...coerceObjectMeta(metadata) };
  }
  for (const [name, field] of Object.entries(value)) {
    const property = propertyOf(schema, name) ?? additionalSchemaOf(schema);
    if (property !== undefined && typeof field === "object") {
      coerceEmbedded({ ...step, schema: property, value: field, path: path === "" ? name : `${path}.${name}` });
    }
  }
}

function refuseStrangeMetadata(
  { root, path }: { readonly root: ApiObject; readonly path: string },
  metadata: JSONValue | undefined,
): void {
  const problem = metadata === undefined ? undefined : objectMetaTypeProblem(metadata);
  if (problem !== undefined) {
    throw unreadable(root, fieldErrorToString(invalidField(`${path}.metadata`, metadata, problem)));
  }
}

function unreadable({ kind, apiVersion }: ApiObject, problem: string): Error {
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`);
}

// Nulls and empty lists and maps are as good as absent.
function dropEmpty(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.values(metadata).some((value) => isEmpty(value))
    ? Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)))
    : metadata;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
