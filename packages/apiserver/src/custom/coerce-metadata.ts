import { coerceObjectMeta, objectMetaTypeProblem, unknownObjectMetaFields } from "@kubescaffold/schema";

import { badRequest } from "../response/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Reads the metadata of a custom resource by its type: unknown fields go, and are collected; fails with 400 for wrong types. */
export function coerceMetadata(object: ApiObject, unknownFields: string[]): ApiObject {
  const metadata = dropNulls(object.metadata as Record<string, unknown>) as never;
  const problem = objectMetaTypeProblem(metadata);
  if (problem !== undefined) {
    const { kind, apiVersion } = object;
    const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
    throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`);
  }
  unknownFields.push(...unknownObjectMetaFields(metadata).map((path) => `metadata.${path}`));
  return { ...object, metadata: { ...coerceObjectMeta(metadata) } };
}

function dropNulls(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.values(metadata).includes(null)
    ? Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))
    : metadata;
}
