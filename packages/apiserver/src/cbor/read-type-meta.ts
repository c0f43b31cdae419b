// cspell:ignore toarray
import { goQuote } from "@kubescaffold/k8s";

import { type Head, HeadReader } from "./item-head.ts";
import { MalformedCborError } from "./malformed-cbor.ts";
import { readItem, typeOfItem, unmarshalError } from "./read-cbor.ts";
import { hasNext, skipItem } from "./skip-item.ts";

/** What an object states about its kind; empty where it states nothing. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Reads the kind of an object from a well-formed data item, without reading its other fields.
 *
 * Fails: {@link MalformedCborError} when the item is another type than a map, or states its kind twice or in another type than a string.
 */
export function readTypeMeta(bytes: Uint8Array): TypeMeta {
  const reader = new HeadReader(bytes);
  const type = typeOfItem(reader);
  if (type === "primitives" && readItem(reader) === null) return { apiVersion: "", kind: "" };
  if (type !== "map") throw unmarshalError(type, "v1.TypeMeta", type === "array" ? NO_ARRAYS : "");
  return { apiVersion: "", kind: "", ...fieldsOf(reader, reader.untaggedHead()) };
}

const NO_ARRAYS = "cannot decode CBOR array to struct without toarray option";

function fieldsOf(reader: HeadReader, head: Head): Partial<TypeMeta> {
  const fields: { apiVersion?: string; kind?: string } = {};
  const seen = new Set<unknown>();
  for (let index = 0; hasNext(reader, head, index); index += 1) {
    const key = readItem(reader);
    if (seen.has(key)) {
      const shown = typeof key === "string" ? goQuote(key) : String(key);
      throw new MalformedCborError(`cbor: found duplicate map key ${shown} at map element index ${String(index)}`);
    }
    seen.add(key);
    if (key === "apiVersion" || key === "kind") fields[key] = textOf(reader, key);
    else skipItem(reader);
  }
  return fields;
}

function textOf(reader: HeadReader, field: string): string {
  const type = typeOfItem(reader);
  const value = readItem(reader);
  if (typeof value === "string") return value;
  if (value === null) return "";
  throw new MalformedCborError(
    `cbor: cannot unmarshal ${type} into Go struct field v1.TypeMeta.${field} of type string`,
  );
}
