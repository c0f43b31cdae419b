import { parseLosslessJson, printLosslessJson } from "@kubescaffold/k8s";
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

import type { FieldChange } from "./conversion-changes.ts";
import { MERGED_LEVELS } from "./merge-values.ts";

/** The prefix of the annotations that store the fields which the version of an object cannot express; the version that has them follows. */
const PREFIX = "conversion.kubescaffold.dev/";

/** The metadata of an object without its conversion data for a version, and these data. */
interface TakenData {
  readonly metadata: ObjectMeta;
  readonly changes: readonly FieldChange[];
}

/** Removes the conversion data for a version from the metadata. Data of another form are dropped. */
export function takeConversionData(metadata: ObjectMeta, version: string): TakenData {
  const { [PREFIX + version]: text, ...annotations } = metadata.annotations ?? {};
  if (text === undefined) return { metadata, changes: [] };
  const { annotations: _all, ...others } = metadata;
  const rest = Object.keys(annotations).length === 0 ? others : { ...others, annotations };
  return { metadata: rest, changes: changesIn(text) };
}

/** Returns metadata with the conversion data for a version; without changes, the data are removed. */
export function withConversionData(metadata: ObjectMeta, version: string, changes: readonly FieldChange[]): ObjectMeta {
  if (changes.length === 0) return takeConversionData(metadata, version).metadata;
  const annotations = { ...metadata.annotations, [PREFIX + version]: printLosslessJson(changes) };
  return { ...metadata, annotations };
}

function changesIn(text: string): readonly FieldChange[] {
  try {
    const value = parseLosslessJson(text);
    return Array.isArray(value) ? value.filter((each) => isChange(each)) : [];
  } catch {
    return [];
  }
}

function isChange(value: unknown): value is FieldChange {
  return (
    isRecord(value) &&
    Array.isArray(value["path"]) &&
    value["path"].length > 0 &&
    value["path"].length <= MERGED_LEVELS &&
    value["path"].every((name) => typeof name === "string" && !UNWRITTEN.has(name))
  );
}

// Metadata and types are those of the object, and a prototype is no field.
const UNWRITTEN = new Set(["apiVersion", "kind", "metadata", "__proto__"]);
