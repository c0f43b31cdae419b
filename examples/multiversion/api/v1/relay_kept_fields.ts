import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";

import type { RelaySpec } from "./relay_types.ts";
import { RelaySpecSchema } from "./zz_generated.schema.ts";

/** The annotation in which objects of earlier versions store, as JSON, the fields that only v1 has. */
export const KEPT_FIELDS_ANNOTATION = "network.demo/v1-fields";

/** The fields of v1 that earlier versions lack. */
export type KeptFields = Pick<RelaySpec, "listenPort" | "limits">;

/** Returns the metadata of an object of an earlier version, with the annotation for the fields that it lacks. */
export function withKeptFields(metadata: ObjectMeta, { listenPort, limits }: KeptFields): ObjectMeta {
  if (listenPort === undefined && limits === undefined) return metadata;
  const kept = JSON.stringify({ listenPort, limits });
  return { ...metadata, annotations: { ...metadata.annotations, [KEPT_FIELDS_ANNOTATION]: kept } };
}

/** Returns the metadata of the object in v1, and the fields from the annotation. Throws if the annotation is invalid. */
export function takeKeptFields(metadata: ObjectMeta): { readonly metadata: ObjectMeta; readonly kept: KeptFields } {
  const { [KEPT_FIELDS_ANNOTATION]: text, ...annotations } = metadata.annotations ?? {};
  if (text === undefined) return { metadata, kept: {} };
  const { annotations: _all, ...others } = metadata;
  const kept = readKeptFields(text);
  return { metadata: Object.keys(annotations).length === 0 ? others : { ...others, annotations }, kept };
}

// API servers do not validate converted objects, so the annotation must be validated here.
function readKeptFields(text: string): KeptFields {
  const { listenPort, limits } = parse(text);
  const kept = { ...(listenPort === undefined ? {} : { listenPort }), ...(limits === undefined ? {} : { limits }) };
  const [error] = RelaySpecSchema.validate({ ...kept, target: ANY_TARGET });
  if (error !== undefined) throw refusal(error.detail);
  return kept;
}

const ANY_TARGET = { host: "localhost", port: 1 };

function parse(text: string): KeptFields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Rejects arrays.
  }
  throw refusal("must be an object in JSON");
}

function refusal(reason: string): Error {
  return new Error(`annotation ${KEPT_FIELDS_ANNOTATION}: ${reason}; take it away to give up the fields in it`);
}
